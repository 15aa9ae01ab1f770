public import Errand
import ErrandSupport

/// A clock that moves only when a test advances it, and that can wait for sleeping tasks first.
///
/// ```swift
/// let clock = ManualClock()
/// let session = ScriptedSession([.json("[]").delayed(by: .seconds(2))])
/// let call = Task { try await APILoader(api, session: session, time: clock).load(query) }
/// try await clock.advance(by: .seconds(2), sleeping: 1)       // waits until one task sleeps
/// ```
/// Without this wait, a test would race the tested code: the clock could advance before the code starts to sleep.
/// Every task that sleeps on this clock counts. A request with a deadline on this clock has one sleeper in the loader
/// and one in its session. For the wait of such a request, name its end instead of a number: ``advance(to:limit:)``.
public final class ManualClock: TimeSource {
    private struct Sleeper {
        let instant: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// The sleepers that a test waits for.
    private enum Goal {
        case count(Int)
        /// A task that sleeps until this instant.
        case instant(Duration)

        func isReached(by sleepers: some Collection<Sleeper>) -> Bool {
            switch self {
            case .count(let count): sleepers.count >= count
            case .instant(let instant): sleepers.contains { $0.instant == instant }
            }
        }
    }

    private struct Observer {
        let goal: Goal
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Duration
        var sleepers: [Int: Sleeper] = [:]
        var observers: [Int: Observer] = [:]
        var lastID = 0
        /// The identifiers of suspensions that were cancelled before their continuation was registered.
        var cancelled: Set<Int> = []
        var pending: Set<Int> = []

        /// Removes an identifier from the pending ones. Returns `false` if its task was cancelled in the meantime.
        mutating func enter(_ id: Int) -> Bool {
            pending.remove(id)
            return cancelled.remove(id) == nil
        }

        /// Moves the time forward, never back. Returns the removed due sleepers, which the caller must resume.
        mutating func move(to instant: Duration) -> [Sleeper] {
            let moved = max(now, instant)
            now = moved
            return sleepers.removeAll { $0.instant <= moved }
        }
    }

    /// The number of yields between two instants: many times the number of suspensions in an interceptor.
    private static let yields = 50

    private let start: Date
    private let state: Locked<State>

    /// Creates a clock.
    /// - Parameters:
    ///   - now: The initial monotonic time.
    ///   - date: The wall-clock time at that moment. The default is 9 September 2001, 01:46:40 UTC.
    public init(now: Duration = .zero, date: Date = Date(timeIntervalSince1970: 1_000_000_000)) {
        start = date - now.seconds
        state = Locked(State(now: now))
    }

    /// The monotonic time.
    public var now: Duration { state.withLock { $0.now } }

    /// The wall clock, which moves with the monotonic time.
    public var date: Date { start + now.seconds }

    /// The number of tasks that sleep on this clock.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Sleeps until the clock reaches an instant.
    public func sleep(until instant: Duration) async throws {
        try await suspended { id, continuation in
            state.withLock { state -> Wake in
                guard state.enter(id) else { return Wake(cancelled: [continuation]) }
                guard instant > state.now else { return Wake(due: [continuation]) }
                state.sleepers[id] = Sleeper(instant: instant, continuation: continuation)
                let sleepers = state.sleepers.values
                return Wake(due: state.observers.removeAll { $0.goal.isReached(by: sleepers) }.map(\.continuation))
            }
        }
    }
}

extension ManualClock {
    /// Advances the clock at once and wakes the tasks that are due, in no particular order.
    ///
    /// A task that sleeps again counts from the new time. A negative duration has no effect, because the monotonic
    /// time never goes back.
    public func advance(by duration: Duration) {
        wake(state.withLock { $0.move(to: $0.now + max(.zero, duration)) })
    }

    private func wake(_ due: [Sleeper]) {
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Waits until at least `count` tasks sleep on the clock, then advances it from instant to instant.
    ///
    /// Between two instants, the woken tasks can run and may sleep again. The clock cannot know how far they get. If
    /// the work at one instant determines the next sleep, advance twice.
    /// - Throws: ``VerificationError`` if fewer tasks sleep after 30 seconds of real time, or `CancellationError`.
    public func advance(by duration: Duration, sleeping count: Int) async throws {
        try await waitForSleepers(count)
        let end = now + max(.zero, duration)
        while let next = state.withLock({ $0.sleepers.values.map(\.instant).min() }), next <= end {
            wake(state.withLock { $0.move(to: next) })
            for _ in 1...Self.yields { await Task.yield() }
        }
        try Task.checkCancellation()
        wake(state.withLock { $0.move(to: end) })
    }

    /// Waits until a task sleeps until this instant, then advances the clock to it.
    ///
    /// ```swift
    /// let call = Task { try await loader.load(order) }
    /// try await clock.advance(to: .seconds(3))        // the server requested a wait of 3 seconds
    /// ```
    /// - Throws: ``VerificationError`` if no task sleeps until the instant after `limit`, in real time, or
    ///   `CancellationError`.
    public func advance(to instant: Duration, limit: Duration = .seconds(30)) async throws {
        guard try await reach(.instant(instant), within: limit) else {
            let found = state.withLock { $0.sleepers.values.map(\.instant) }.sorted().map { "\($0)" }
            throw VerificationError(
                "expected a task that sleeps until \(instant) on the clock, found [\(found.joined(separator: ", "))] "
                    + "after \(limit) (the clock shows \(now))")
        }
        wake(state.withLock { $0.move(to: instant) })
    }

    /// Waits until at least `count` tasks sleep on the clock.
    /// - Throws: ``VerificationError`` if fewer tasks sleep after `limit`, in real time, or `CancellationError`.
    public func waitForSleepers(_ count: Int = 1, limit: Duration = .seconds(30)) async throws {
        guard try await reach(.count(count), within: limit) else {
            throw VerificationError(
                "expected \(count) sleepers on the clock, found \(sleepers) after \(limit) (the clock shows \(now))")
        }
    }

    /// Waits until a goal is reached. Returns `false` if it is not reached in time.
    private func reach(_ goal: Goal, within limit: Duration) async throws -> Bool {
        do {
            try await race(.after(limit)) { try await self.observe(goal) }
            return true
        } catch let error as ServiceError where error.code == .timeout {
            // On a busy machine, the last task may have gone to sleep while this one waited for its turn.
            return state.withLock { goal.isReached(by: $0.sleepers.values) }
        }
    }

    private func observe(_ goal: Goal) async throws {
        try await suspended { id, continuation in
            state.withLock { state -> Wake in
                guard state.enter(id) else { return Wake(cancelled: [continuation]) }
                guard !goal.isReached(by: state.sleepers.values) else { return Wake(due: [continuation]) }
                state.observers[id] = Observer(goal: goal, continuation: continuation)
                return Wake()
            }
        }
    }
}

extension ManualClock {
    /// The continuations to resume after the lock is released, because foreign code must not run inside it.
    private struct Wake {
        var due: [CheckedContinuation<Void, any Error>] = []
        var cancelled: [CheckedContinuation<Void, any Error>] = []
    }

    /// Suspends the caller with a unique identifier. A cancelled task resumes at once.
    private func suspended(
        _ register: (Int, CheckedContinuation<Void, any Error>) -> Wake
    ) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            state.lastID += 1
            state.pending.insert(state.lastID)
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let wake = register(id, continuation)
                for other in wake.due { other.resume() }
                for other in wake.cancelled { other.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        let continuation = state.withLock { state in
            if state.pending.contains(id) { state.cancelled.insert(id) }
            return state.sleepers.removeValue(forKey: id)?.continuation
                ?? state.observers.removeValue(forKey: id)?.continuation
        }
        continuation?.resume(throwing: CancellationError())
    }
}

extension Dictionary {
    /// Removes and returns the values that satisfy a condition.
    fileprivate mutating func removeAll(where condition: (Value) -> Bool) -> [Value] {
        let taken = filter { condition($0.value) }
        for key in taken.keys { self[key] = nil }
        return Array(taken.values)
    }
}

extension Duration {
    fileprivate var seconds: TimeInterval {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
