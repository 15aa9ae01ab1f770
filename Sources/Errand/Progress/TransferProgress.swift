/// The progress of an upload or a download.
///
/// ```swift
/// bar.value = progress.fraction                                   // 0.25
/// label.text = "\(progress.completed) of \(progress.total ?? 0)"   // 25000 of 100000
/// ```
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes that were sent or received.
    ///
    /// For an upload, these are the bytes that the operating system has accepted. The server receives the last of them
    /// a little later. The number starts again at 0 if a retry or a redirect sends the body again. After an
    /// interruption of a resumable upload, it is the number of bytes that the server has stored. For a download, it
    /// includes the bytes of an earlier call.
    public let completed: Int64
    /// The number of bytes in all, or `nil` if it is unknown.
    public let total: Int64?
    /// The bytes per second during the last 5 seconds, or `nil` at the start.
    public let rate: Double?

    /// Creates a value, for test doubles. A negative number of bytes is 0, and a negative total is unknown.
    public init(completed: Int64, total: Int64? = nil, rate: Double? = nil) {
        self.completed = max(0, completed)
        self.total = total.flatMap { $0 < 0 ? nil : $0 }
        self.rate = rate
    }

    /// The completed part, from 0 to 1, or `nil` if the total is unknown.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(1, max(0, Double(completed) / Double(total))) : 1
    }

    /// The estimated remaining time at the current rate, at most one year. `nil` if the total or the rate is unknown,
    /// or if the transfer has stalled.
    public var remaining: Duration? {
        guard let total, let rate, rate > 0 else { return nil }
        return .seconds(min(Double(max(0, total - completed)) / rate, 31_536_000))
    }
}
