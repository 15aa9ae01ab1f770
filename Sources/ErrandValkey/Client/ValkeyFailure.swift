import Errand

/// The errors that a server sends.
enum ValkeyFailure {
    private static let refusals: Set<Substring> = ["NOAUTH", "WRONGPASS", "NOPERM"]

    /// Returns the error for an error reply. Only its first word is kept, because the rest may repeat an argument, such as a
    /// password.
    static func error(_ text: String) -> ServiceError {
        let start = isFromReplica(text) ? "READONLY" : text
        let word = start.prefix { $0.isASCII && ($0.isUppercase || $0 == "_") }.prefix(32)
        let code: ServiceError.Code = refusals.contains(word) ? .authorization : .badResponse
        return ServiceError(code, "the server replied with an error (\(word.isEmpty ? "without a code" : word))")
    }

    /// Whether an error reply means that the server is a replica, which does not take writes. Before version 7, the error of a
    /// command in a script is part of the text.
    static func isFromReplica(_ text: String) -> Bool {
        text.hasPrefix("READONLY") || (text.hasPrefix("ERR Error running script") && text.contains("-READONLY "))
    }

    /// Whether the server does not know a script.
    static func isMissingScript(_ error: any Error) -> Bool {
        (error as? ServiceError)?.reason.hasSuffix("(NOSCRIPT)") == true
    }
}
