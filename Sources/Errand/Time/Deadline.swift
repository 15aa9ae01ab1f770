/// A moment on a ``TimeSource`` after which a call must have ended.
public struct Deadline: Sendable {
    /// The moment, as the source counts.
    public let instant: Duration
    /// The source that the moment is on.
    public let time: any TimeSource

    /// A deadline that lies a duration ahead, a hundred years at most; a negative one has passed already.
    public static func after(_ duration: Duration, on time: any TimeSource = .system) -> Deadline {
        let longest = Duration.seconds(3_155_760_000)
        return Deadline(instant: time.now + min(max(.zero - longest, duration), longest), time: time)
    }

    /// The time that is left, negative once it has passed.
    public var remaining: Duration { instant - time.now }

    /// Whether the moment has come.
    public var hasPassed: Bool { remaining <= .zero }
}
