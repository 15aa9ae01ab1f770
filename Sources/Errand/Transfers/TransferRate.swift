import ErrandSupport

/// The rate of a transfer over the last 5 seconds.
package struct TransferRate: Sendable {
    private static let window: Duration = .seconds(5)
    /// The maximum number of samples: with a shorter interval, the window is shorter.
    private static let limit = 128

    private var samples: [(time: Duration, completed: Int64)] = []
    private var starts = 0

    package init() {}

    /// Adds a sample.
    /// - Returns: The bytes per second, or `nil` if the samples cover no time. A transfer that starts again, even at a
    ///   later byte, starts a new window.
    package mutating func add(_ reading: TransferMeter.Reading, at now: Duration) -> Double? {
        let completed = reading.completed
        if let last = samples.last, starts != reading.starts || completed < last.completed || now < last.time {
            samples = []
        }
        starts = reading.starts
        samples.append((now, completed))
        let old = samples.firstIndex { now - $0.time <= Self.window } ?? 0
        samples.removeFirst(max(old, samples.count - Self.limit))
        guard let first = samples.first, now > first.time else { return nil }
        return Double(completed - first.completed) / ((now - first.time) / .seconds(1))
    }
}
