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

extension Deadline {
    static var error: ServiceError { ServiceError(.timeout, "the deadline of the call passed") }

    /// Waits for the moment, and returns the error that it is to have reached it.
    fileprivate func passed() async throws -> ServiceError {
        while !hasPassed { try await time.sleep(until: instant) }
        return Self.error
    }
}

/// Runs work until a deadline: whichever ends first decides, and the other is cancelled.
package func race<Value: Sendable>(
    _ deadline: Deadline?, _ work: @escaping @concurrent @Sendable () async throws -> Value
) async throws -> Value {
    guard let deadline else { return try await work() }
    if deadline.hasPassed { throw Deadline.error }
    return try await withThrowingTaskGroup(of: Value.self) { group in
        defer { group.cancelAll() }
        // First, as the work may keep this thread for a while.
        group.addTask { throw try await deadline.passed() }
        group.addTaskBeginningHere(work)
        guard let first = try await group.next() else { throw Deadline.error }
        return first
    }
}
