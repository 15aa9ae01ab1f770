package import Foundation

/// Measures processor time, for tests of how it grows with the input.
package enum ProcessorTime {
    /// Returns the minimum processor time of work in several runs, in seconds. The work runs on a separate thread.
    ///
    /// Other threads and processes are not included, so a busy machine hardly changes the result.
    package static func least(
        of runs: Int, _ work: @escaping @Sendable () throws -> Void
    ) async throws -> TimeInterval {
        try await SeparateThread.run {
            var least = TimeInterval.infinity
            for _ in 0..<runs {
                let start = now
                try work()
                least = min(least, now - start)
            }
            return least
        }
    }

    private static var now: TimeInterval {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
    }
}
