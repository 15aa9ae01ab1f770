/// A monotonic clock and a wall clock together, injected wherever the library measures, waits or dates.
///
/// Tests give a clock that they turn by hand; everything else uses ``TimeSource/system``.
public protocol TimeSource: Sendable {
    /// The monotonic time since an origin of this source's own.
    var now: Duration { get }
    /// The wall-clock time, for dates in messages.
    var date: Date { get }
    /// Waits until the monotonic time is reached.
    /// - Throws: `CancellationError` when the task is cancelled while it waits.
    func sleep(until instant: Duration) async throws
}

/// The machine's own clocks.
public struct SystemTime: TimeSource {
    private static let origin = ContinuousClock.now

    /// Makes the system's time source; all of them share one origin.
    public init() {}

    /// The time since the first use of any of them.
    public var now: Duration { Self.origin.duration(to: .now) }
    /// The system's date.
    public var date: Date { Date() }

    /// Waits on the system's continuous clock.
    public func sleep(until instant: Duration) async throws {
        try await Task.sleep(until: Self.origin.advanced(by: instant), clock: .continuous)
    }
}

extension TimeSource where Self == SystemTime {
    /// The machine's own clocks.
    public static var system: SystemTime { SystemTime() }
}
