import Errand

/// What this process holds, from `/proc`; where there is none, nothing is counted.
struct ProcessFigures: Sendable, Equatable, CustomStringConvertible {
    let descriptors: Int
    /// Threads but for those with the names of libdispatch's pool, which come and go with the load.
    let threads: [String]
    /// All threads: what a pool's thread starts has its name, unless it is given one.
    let allThreads: Int

    /// How many more threads the pool may have afterwards; fewer than a column has sessions.
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
