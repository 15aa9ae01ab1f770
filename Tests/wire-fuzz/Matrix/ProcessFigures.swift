import Errand

/// The descriptors and threads of this process, from `/proc`. All figures are 0 if `/proc` does not exist.
struct ProcessFigures: Sendable, Equatable, CustomStringConvertible {
    let descriptors: Int
    /// The names of all threads except those of libdispatch's pool. The size of the pool depends on the load.
    let threads: [String]
    /// The number of all threads. A thread that a pool thread starts has the name of the pool thread unless it sets
    /// another.
    let allThreads: Int

    /// The number of threads that the pool may gain. It is smaller than the number of sessions in a column.
    private static let poolGrowth = 12

    static var now: Self {
        let names = entries("/proc/self/task").compactMap { task in
            try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
                .trimmingCharacters(in: .newlines)
        }
        return Self(
            descriptors: entries("/proc/self/fd").count,
            threads: names.filter { !$0.hasSuffix("-qos") && !$0.hasSuffix(".overcommit") }.sorted(),
            allThreads: names.count)
    }

    private static func entries(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// Returns the figures when they stop changing, or when they are within `other`. Waits at most ten seconds.
    static func settled(within other: Self?) async -> Self {
        var figures = now
        for _ in 0..<100 {
            if let other, figures.isWithin(other) { break }
            try? await SystemTime.system.sleep(until: SystemTime.system.now + .milliseconds(100))
            let next = now
            if other == nil, next == figures { break }
            figures = next
        }
        return figures
    }

    func isWithin(_ other: Self) -> Bool {
        descriptors <= other.descriptors && threads.count <= other.threads.count
            && allThreads <= other.allThreads + Self.poolGrowth
    }

    var description: String {
        "\(descriptors) descriptors, \(threads.count) threads (\(threads.joined(separator: " "))) of \(allThreads)"
    }
}
