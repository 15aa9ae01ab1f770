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

    /// Returns the error for a status that is not accepted, with the server's own error if it sent one.
    static func refusal(_ head: ResponseHead, _ serverError: (any Error)?, _ found: String = "") -> ServiceError {
        var error = ServiceError(.status, "the server responded with status \(head.status)")
        error.serverError = serverError
        error.response = head
        if let message = error.serverMessage {
            error.reason += ": \(message)"
        } else if let serverError {
            error.reason += " and an error of type \(type(of: serverError))"
        } else {
            error.reason += found
        }
        error.retryAfter = RetryAfter.wait(head.headers, now: Date())
        return error
    }
}

extension ServiceError {
    /// Returns this error with the secrets masked in its texts.
    package func hiding(_ secrets: CarriedSecrets) -> ServiceError {
        var error = self
        error.reason = secrets.masked(reason)
        error.request = request?.hiding(secrets)
        if error.response?.secrets == nil { error.response?.secrets = secrets }
        error.serverError = (serverError as? any Redactable)?.redacted(by: secrets.masked) ?? serverError
        error.attempts = attempts.map { attempt in
            var attempt = attempt
            attempt.note = attempt.note.map(secrets.masked)
            return attempt
        }
        return error
    }
}

extension ServiceError {
    /// A ``serverError`` with a description that contains text from the server.
    ///
    /// A server may repeat a token of the request in its error. The loader calls ``redacted(by:)`` before it throws the
    /// error, so that the description has no secret. Other errors are thrown unchanged, and only ``serverMessage`` and
    /// ``reason`` are redacted.
    public protocol Redactable: Error {
        /// Returns this error with redacted texts.
        ///
        /// - Parameter redact: Replaces each secret of the requests of the API call with ``Redaction/mask``.
        /// - Returns: An error with the same meaning and without secrets in its texts.
        func redacted(by redact: (String) -> String) -> any Error
    }
}

extension ProblemDetails: ServiceError.Redactable {
    /// Returns these details with each text redacted.
    public func redacted(by redact: (String) -> String) -> any Error {
        ProblemDetails(
            type: type.map(redact), title: title.map(redact), status: status, detail: detail.map(redact),
            instance: instance.map(redact))
    }

    /// The title and the detail, or `nil` if both are missing.
    var message: String? {
        let parts = [title, detail].compactMap(\.self).filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
}
