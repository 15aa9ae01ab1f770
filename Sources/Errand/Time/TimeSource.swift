/// A monotonic clock and a wall clock. The library uses it for all measurements, waits and dates.
///
/// A test passes a clock that it controls. Otherwise, ``TimeSource/system`` is used.
public protocol TimeSource: Sendable {
    /// The monotonic time since the origin of this source.
    var now: Duration { get }
    /// The wall-clock time, for dates in messages.
    var date: Date { get }
    /// Waits until the monotonic time has reached `instant`.
    /// - Throws: `CancellationError` if the task is cancelled during the wait.
    func sleep(until instant: Duration) async throws
}

/// The system clocks.
public struct SystemTime: TimeSource {
    private static let origin = ContinuousClock.now

    /// Creates the system's time source. All instances share one origin.
    public init() {}

    /// The time since the first use of an instance.
    public var now: Duration { Self.origin.duration(to: .now) }
    /// The current date of the system.
    public var date: Date { Date() }

    /// Waits on the system's continuous clock.
    public func sleep(until instant: Duration) async throws {
        try await Task.sleep(until: Self.origin.advanced(by: instant), clock: .continuous)
    }
}

extension TimeSource where Self == SystemTime {
    /// The system clocks.
    public static var system: SystemTime { SystemTime() }
}
