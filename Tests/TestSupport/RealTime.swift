/// Measures real time on machines that other work shares.
package enum RealTime {
    /// Whether a body takes less real time than a limit in the best of three runs.
    ///
    /// A busy machine delays one run. A wait on the wrong clock delays each of them.
    package static func isLess(than limit: Duration, _ body: () async throws -> Void) async rethrows -> Bool {
        for _ in 1...3 {
            let start = ContinuousClock.now
            try await body()
            if ContinuousClock.now - start < limit { return true }
        }
        return false
    }
}
