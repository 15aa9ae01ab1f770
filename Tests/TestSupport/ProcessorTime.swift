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

    /// Returns the minimum processor times of work on a short and on a long input, in seconds.
    ///
    /// If the long input takes more than `limit` times as long, both are measured again, up to three times in all, because other
    /// programs can slow down the memory or a core for a moment.
    package static func growth(
        limit: Double, short: @escaping @Sendable () throws -> Void, long: @escaping @Sendable () throws -> Void
    ) async throws -> (short: TimeInterval, long: TimeInterval) {
        var times = (short: TimeInterval.infinity, long: TimeInterval.infinity)
        for attempt in 0..<3 where attempt == 0 || times.long > limit * times.short {
            times.short = min(times.short, try await least(of: 7, short))
            times.long = min(times.long, try await least(of: 3, long))
        }
        return times
    }

    private static var now: TimeInterval {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
    }
}
