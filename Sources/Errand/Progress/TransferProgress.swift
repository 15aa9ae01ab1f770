/// The progress of an upload or a download.
///
/// ```swift
/// bar.value = progress.fraction                                   // 0.25
/// label.text = "\(progress.completed) of \(progress.total ?? 0)"   // 25000 of 100000
/// ```
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes that were sent or received.
    ///
    /// For an upload, these are the bytes that the system has accepted, which the server receives a little later. They
    /// start again at 0 if the body is sent again, for a retry or a redirect.
    public let completed: Int64
    /// The number of bytes in all, or `nil` if it is unknown.
    public let total: Int64?
    /// The bytes per second during the last 5 seconds, or `nil` at the start.
    public let rate: Double?

    /// Creates a value, for test doubles.
    public init(completed: Int64, total: Int64? = nil, rate: Double? = nil) {
        self.completed = completed
        self.total = total
        self.rate = rate
    }

    /// The completed part, from 0 to 1, or `nil` if the total is unknown.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(1, max(0, Double(completed) / Double(total))) : 1
    }

    /// The estimated remaining time at the present rate, at most one year. `nil` if the total or the rate is unknown,
    /// or if the transfer has stalled.
    public var remaining: Duration? {
        guard let total, let rate, rate > 0 else { return nil }
        return .seconds(min(Double(max(0, total - completed)) / rate, 31_536_000))
    }
}
