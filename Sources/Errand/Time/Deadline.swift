/// A time on a ``TimeSource`` by which an API call must end.
public struct Deadline: Sendable {
    /// The time of the deadline, on the monotonic clock of the source.
    public let instant: Duration
    /// The source that measures the time.
    public let time: any TimeSource

    /// Returns a deadline after a duration, which is limited to a hundred years. After a negative duration, the
    /// deadline has already passed.
    public static func after(_ duration: Duration, on time: any TimeSource = .system) -> Deadline {
        let longest = Duration.seconds(3_155_760_000)
        return Deadline(instant: time.now + min(max(.zero - longest, duration), longest), time: time)
    }

    /// The time until the deadline, negative after it has passed.
    public var remaining: Duration { instant - time.now }

    /// Whether the deadline has passed.
    public var hasPassed: Bool { remaining <= .zero }
}
