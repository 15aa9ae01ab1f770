import Errand
import ErrandSupport
import GalleryCore

/// The message for a failed API call: the failure, the server's message and a hint.
///
/// The text is not truncated here, because the access key must be masked before. A truncated key would not be masked.
enum APIFailure {
    static func text(_ error: ServiceError) -> String {
        switch error.code {
        case .status: refusal(error)
        case .decoding, .validation: misunderstanding(error)
        case .connection: "can't connect to \(host(error)): \(error.reason.singleLine())"
        case .connectionLost: "the connection to \(host(error)) was lost: \(error.reason.singleLine())"
        case .timeout: "\(host(error)) did not respond in time: \(error.reason.singleLine())"
        default: error.reason.singleLine()
        }
    }

    private static func refusal(_ error: ServiceError) -> String {
        let reason = error.response.map { $0.printable($0.reason, limit: 1_024) } ?? ""
        let words = message(error).map { ": \($0)" } ?? ""
        // No hint is necessary if the server says what it could not find.
        let hint = (error.status == 404 && !words.isEmpty ? nil : hint(error)).map { " (\($0))" } ?? ""
        return "the API responded with status \(error.status ?? 0) \(reason)\(words)\(hint)"
    }

    private static func hint(_ error: ServiceError) -> String? {
        if error.status == 429 || error.response?.headers["X-Ratelimit-Remaining"] == "0" {
            return "the hourly limit is reached, try again later"
        }
        switch error.status ?? 0 {
        case 401: return "check the access key"
        case 404: return "check the URL"
        default: return nil
        }
    }

    /// Returns the server's message: its error type, a standard problem, or a short plain text.
    private static func message(_ error: ServiceError) -> String? {
        if let known = error.serverError { return printable(String(describing: known), error) }
        guard mediaType(error) == "text/plain", let body = error.body, body.count <= 400 else { return nil }
        let text = String(decoding: body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : printable(text, error)
    }

    private static func printable(_ text: String, _ error: ServiceError) -> String {
        error.response?.printable(text, limit: 1_024) ?? text.singleLine()
    }

    private static func misunderstanding(_ error: ServiceError) -> String {
        if let type = mediaType(error), !type.hasSuffix("json") {
            return "expected JSON from \(host(error)), received \(type) (check the base URL)"
        }
        return "can't decode the API's response: \(error.reason.singleLine())"
    }

    private static func mediaType(_ error: ServiceError) -> String? {
        guard let text = error.response?.headers["Content-Type"] else { return nil }
        let type = text.unicodeScalars.prefix(200).prefix { $0 != ";" }
        return String(type).trimmingCharacters(in: .whitespaces).lowercased().singleLine()
    }

    private static func host(_ error: ServiceError) -> String {
        error.request.map { $0.host.singleLine(limit: 100) } ?? "the server"
    }
}
