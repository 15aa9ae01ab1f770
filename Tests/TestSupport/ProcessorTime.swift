package import Foundation

/// Measures processor time, for tests of how it grows with the input.
package enum ProcessorTime {
    /// Returns the minimum processor time that the current thread spends on work in several runs, in seconds.
    ///
    /// Other threads and processes are not included, so a busy machine hardly changes the result.
    package static func least(of runs: Int, _ work: () throws -> Void) rethrows -> TimeInterval {
        var least = TimeInterval.infinity
        for _ in 0..<runs {
            let start = now
            try work()
            least = min(least, now - start)
        }
        return least
    }

    private static var now: TimeInterval {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
    }
}
