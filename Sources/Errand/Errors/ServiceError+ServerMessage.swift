extension ServiceError {
    /// The maximum number of characters of ``serverMessage``: 300.
    public static let serverMessageLimit: Int = 300

    /// The server's own error message, on one line of at most ``serverMessageLimit`` characters, without secrets.
    ///
    /// The text is the `errorDescription` of a ``serverError`` that is a `LocalizedError`, or the title and detail of
    /// ``ProblemDetails`` (RFC 9457, section 3.1). `nil` if there is neither.
    public var serverMessage: String? {
        guard let serverError, let text = Self.text(of: serverError) else { return nil }
        return response?.printable(text, limit: Self.serverMessageLimit)
            ?? Redaction.standard.printable(text, limit: Self.serverMessageLimit, nil)
    }

    private static func text(of error: any Error) -> String? {
        let text = (error as? ProblemDetails)?.message ?? (error as? any LocalizedError)?.errorDescription
        return text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }

    /// The error for a status that is not accepted, with the server's own error if it sent one.
    static func refusal(_ head: ResponseHead, _ serverError: (any Error)?, _ found: String = "") -> ServiceError {
        var error = ServiceError(.status, "the server answered \(head.status)")
        error.serverError = serverError
        error.response = head
        if let message = error.serverMessage {
            error.reason += ": \(message)"
        } else if let serverError {
            error.reason += " with an error of type \(type(of: serverError))"
        } else {
            error.reason += found
        }
        error.retryAfter = RetryAfter.wait(head.fields, now: Date())
        return error
    }
}

extension ServiceError {
    /// This error with the secrets masked in its texts.
    package func hiding(_ secrets: CarriedSecrets) -> ServiceError {
        var error = self
        error.reason = secrets.masked(reason)
        error.request = request?.hiding(secrets)
        if error.response?.secrets == nil { error.response?.secrets = secrets }
        error.serverError = (serverError as? any ServerText)?.hiding(secrets) ?? serverError
        error.attempts = attempts.map { attempt in
            var attempt = attempt
            attempt.note = attempt.note.map(secrets.masked)
            return attempt
        }
        return error
    }
}

/// A server's own error whose description this library writes.
package protocol ServerText: Error {
    /// This error with the secrets masked in its description.
    func hiding(_ secrets: CarriedSecrets) -> any Error
}

extension ProblemDetails: ServerText {
    package func hiding(_ secrets: CarriedSecrets) -> any Error {
        ProblemDetails(
            type: type.map(secrets.masked), title: title.map(secrets.masked), status: status,
            detail: detail.map(secrets.masked), instance: instance.map(secrets.masked))
    }

    /// Title and detail, `nil` if both are missing.
    var message: String? {
        let parts = [title, detail].compactMap(\.self).filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
}
