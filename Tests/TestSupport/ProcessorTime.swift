package import Foundation

/// The processor time of a thread, for tests of how it grows with the input.
///
/// Unlike elapsed time, it does not depend on what other tests do at the same time.
package enum ProcessorTime {
    /// Returns the ratio of the processor time for a long input to the time for a short one.
    ///
    /// The result uses the minimum time of each. At first, the short work runs five times and the long work once. If the result
    /// exceeds the limit, both are measured again, up to three times in total, because other programs can briefly slow down the
    /// memory or a core. The work runs on a separate thread.
    ///
    /// - Parameters:
    ///   - limit: The maximum ratio that the test accepts. A higher ratio is measured again.
    ///   - minimumTime: The lower bound of the time for the short input, in seconds. A shorter time is mostly noise.
    ///   - short: The work for the short input.
    ///   - long: The work for the long input.
    /// - Returns: The ratio.
    /// - Throws: The error of the work.
    package static func growth(
        limit: Double, minimumTime: TimeInterval = 20e-6, short: @escaping @Sendable () throws -> Void,
        long: @escaping @Sendable () throws -> Void
    ) async throws -> Double {
        var (shortTime, longTime) = (TimeInterval.infinity, TimeInterval.infinity)
        for attempt in 0..<3 where attempt == 0 || longTime > limit * max(shortTime, minimumTime) {
            shortTime = min(shortTime, try await leastTime(of: 5, short))
            longTime = min(longTime, try await leastTime(of: attempt == 0 ? 1 : 3, long))
        }
        return longTime / max(shortTime, minimumTime)
    }

    /// Returns the ratio of the processor time of a function for a text of 160 kB to the time for one of 10 kB. A ratio above 32
    /// is measured again.
    ///
    /// - Parameters:
    ///   - unit: The text to repeat.
    ///   - body: The function to measure. It runs on a separate thread.
    /// - Returns: About 16 if the time is linear, and 256 if it is quadratic.
    /// - Throws: The error of the function.
    package static func growth(
        ofRepeating unit: String, _ body: @escaping @Sendable (String) throws -> Void
    ) async throws -> Double {
        let (short, long) = (repeating(unit, upTo: 10_000), repeating(unit, upTo: 160_000))
        return try await growth(limit: 32) {
            try body(short)
        } long: {
            try body(long)
        }
    }

    private static func repeating(_ unit: String, upTo bytes: Int) -> String {
        "a" + String(repeating: unit, count: bytes / max(1, unit.utf8.count))
    }

    /// Returns the minimum processor time of several runs, in seconds.
    private static func leastTime(
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

extension ProcessorTime {
    /// Units that are slow to normalize, compare or split into characters when there are many of them.
    package static let hostileUnits: [String] = [
        // Marks of one class, and of two classes in the order that normalization reverses.
        "\u{301}", "\u{301}\u{316}",
        // Parts of one character, and pairs with boundaries that depend on all preceding characters.
        "\u{200D}\u{1F469}", "\u{1F1E6}", "\u{915}\u{94D}", "\u{1100}",
    ]
}
