extension ServiceError {
    /// `checkCancellation()` as a stored closure, which avoids an allocation for each API call.
    static let cancellationCheck: @Sendable () throws -> Void = { try checkCancellation() }

    /// Sets the trail, with the present contents of its recording.
    ///
    /// Copies the attempts of the trail if there are more. The interceptor that failed last knows only its own
    /// attempts. The trail also contains those before a replay.
    mutating func take(_ trail: Trail) {
        self.trail = trail
        self.trail.freezeAttachment()
        if trail.attempts.count > attempts.count { attempts = trail.attempts }
    }

    /// Returns this error with the context of a request, and without its secrets.
    package func adding(_ request: APIRequest) -> ServiceError {
        var error = self
        error.request = error.request ?? request.summary
        if let trail = request.options.trail?.trail { error.take(trail) }
        return error.hiding(request.secrets)
    }
}
