import ErrandSupport

extension ServiceError: CustomStringConvertible, CustomDebugStringConvertible {
    /// A line for logs: code, status, request, reason and ``serverMessage``, without secrets.
    public var description: String {
        var parts = [code.rawValue]
        if let response { parts.append("\(response.status)") }
        if let request { parts.append(request.description) }
        let line = parts.joined(separator: " ") + ": " + reason.singleLine()
        guard let serverMessage, !line.contains(serverMessage) else { return line }
        return "\(line): \(serverMessage)"
    }

    /// The ``description`` with the type name, without secrets.
    public var debugDescription: String { "ServiceError(\(description))" }
}

extension ServiceError: LocalizedError {
    /// A sentence for users: ``serverMessage`` if it exists, otherwise ``standardMessage``.
    public var errorDescription: String? { serverMessage ?? standardMessage }

    /// An English sentence for users, without technical details and without text from the server.
    ///
    /// It depends only on the ``code`` and the ``status``. To show a translated sentence, switch over these two.
    public var standardMessage: String {
        switch code {
        case .cancelled: "The request was cancelled."
        case .timeout: "The server took too long to respond."
        case .connection, .connectionLost: "The server could not be reached. Check the connection and try again."
        case .tls, .certificate, .certificateHost, .certificateExpired, .certificatePin:
            "A secure connection to the server could not be established."
        case .status: statusSentence
        case .circuitOpen: Self.hasProblem
        case .rateLimited: Self.tooMany
        case .redirect: Self.pointedElsewhere
        case .badResponse, .decoding, .validation, .bodyTooLarge: "The response of the server could not be understood."
        case .responseLost: "The upload may have succeeded. Check this before you upload again."
        case .authorization: Self.notSignedIn
        case .insufficientScope: Self.notAllowed
        case .configuration, .encoding: "The request could not be created."
        default: "The request failed."
        }
    }

    private static let notSignedIn = "You are not signed in."
    private static let notAllowed = "You are not allowed to do this."
    private static let pointedElsewhere = "The server redirected the request."
    private static let hasProblem = "The server has a problem. Try again later."
    private static let tooMany = "Too many requests. Try again later."

    private var statusSentence: String {
        switch status ?? 0 {
        case 300...399: Self.pointedElsewhere
        case 401: Self.notSignedIn
        case 403: Self.notAllowed
        case 404, 410: "This could not be found."
        case 412: "This is not in the expected state. Load it again."
        case 429: Self.tooMany
        case 500...599: Self.hasProblem
        default: "The server refused the request."
        }
    }
}

extension ServiceError: CustomReflectable {
    /// A mirror that shows the description and the attempts. It omits the body and the cause.
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description, "attempts": attempts], displayStyle: .struct)
    }
}
