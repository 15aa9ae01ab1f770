extension ServiceError {
    /// `checkCancellation()` as a stored closure, which avoids an allocation for each API call.
    static let cancellationCheck: @Sendable () throws -> Void = { try checkCancellation() }

    /// Copies the attempts of the trail if there are more. The interceptor that failed last knows only its own
    /// attempts. The trail also contains those before a replay.
    mutating func takeAttempts(from trail: Trail) {
        if trail.attempts.count > attempts.count { attempts = trail.attempts }
    }

    /// Returns this error with the context of a request, and without its secrets.
    func adding(_ request: APIRequest) -> ServiceError {
        var error = self
        error.request = error.request ?? request.summary
        if let trail = request.options.trail?.trail {
            error.trail = trail
            if trail.attempts.count > error.attempts.count { error.attempts = trail.attempts }
        }
        return error.hiding(request.secrets)
    }
}
