extension ServiceError {
    /// `checkCancellation()` as a stored closure, which avoids an allocation for each API call.
    static let cancellationCheck: @Sendable () throws -> Void = { try checkCancellation() }

    /// Copies the attempts of the trail if there are more. The interceptor that failed last knows only its own
    /// attempts. The trail also contains those before a replay.
    mutating func takeAttempts(from trail: Trail) {
        if trail.attempts.count > attempts.count { attempts = trail.attempts }
    }
}
