public import Errand
import ErrandSupport

/// A clock that stands still until a test moves it, and that waits for those who sleep on it.
///
/// ```swift
/// let clock = ManualClock()
/// let session = ScriptedSession([.json("[]").delayed(by: .seconds(2))])
/// let call = Task { try await APILoader(api, session: session, time: clock).load(query) }
/// try await clock.advance(by: .seconds(2), sleeping: 1)       // once somebody sleeps, not before
/// ```
/// Without that wait the test would race the code that it tests: the clock would be moved before anybody looked at it.
/// Who counts is everybody who sleeps on this clock: a call's deadline on it is one sleeper in the loader and one in its
/// session.
public final class ManualClock: TimeSource {
    private struct Sleeper {
        let instant: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Observer {
        let count: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Duration
        var sleepers: [Int: Sleeper] = [:]
        var observers: [Int: Observer] = [:]
        var lastID = 0
        /// Those whose task was cancelled between the drawing of their number and their falling asleep.
        var cancelled: Set<Int> = []
        var pending: Set<Int> = []

        /// Takes a number from the pending ones; false where its task was cancelled meanwhile.
        mutating func enter(_ id: Int) -> Bool {
            pending.remove(id)
            return cancelled.remove(id) == nil
        }

        /// Moves on to a moment, never back, and takes out those whose time has come: they are to be woken.
        mutating func move(to instant: Duration) -> [Sleeper] {
            let moved = max(now, instant)
            now = moved
            return sleepers.removeAll { $0.instant <= moved }
        }
    }

    /// How often the others are let run between two moments: many times what an interceptor's hops take.
    private static let yields = 50

    private let start: Date
    private let state: Locked<State>

    /// Makes a clock.
    /// - Parameters:
    ///   - now: What the monotonic time begins with.
    ///   - date: What the wall clock shows then: by default 9 September 2001, 01:46:40 UTC.
    public init(now: Duration = .zero, date: Date = Date(timeIntervalSince1970: 1_000_000_000)) {
        start = date - now.seconds
        state = Locked(State(now: now))
    }

    /// The monotonic time.
    public var now: Duration { state.withLock { $0.now } }

    /// The wall clock, which moves with the monotonic time.
    public var date: Date { start + now.seconds }

    /// How many sleep on this clock.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Sleeps until the clock is moved to a moment or past it.
    public func sleep(until instant: Duration) async throws {
        try await suspended { id, continuation in
            state.withLock { state -> Wake in
                guard state.enter(id) else { return Wake(cancelled: [continuation]) }
                guard instant > state.now else { return Wake(due: [continuation]) }
                state.sleepers[id] = Sleeper(instant: instant, continuation: continuation)
                let count = state.sleepers.count
                return Wake(due: state.observers.removeAll { $0.count <= count }.map(\.continuation))
            }
        }
    }
}

extension ManualClock {
    /// Moves the clock at once and wakes those whose time has come, in no particular order.
    ///
    /// Those who go to sleep again count from the new time. A negative duration moves nothing: the monotonic time never
    /// goes back.
    public func advance(by duration: Duration) {
        wake(state.withLock { $0.move(to: $0.now + max(.zero, duration)) })
    }

    private func wake(_ due: [Sleeper]) {
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Waits until at least so many sleep on the clock, and moves it then, from moment to moment.
    ///
    /// Between two moments the woken get a chance to run, and may go to sleep again on the way. How far they come is not
    /// known to the clock: where one moment's work decides what happens at the next, advance twice.
    /// - Throws: ``VerificationError`` where they don't come within ten real seconds; `CancellationError`.
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

    /// Waits until at least so many sleep on the clock.
    /// - Throws: ``VerificationError`` where they don't come within `limit`, in real time; `CancellationError`.
    public func waitForSleepers(_ count: Int = 1, limit: Duration = .seconds(10)) async throws {
        do {
            try await race(.after(limit)) { try await self.observe(count) }
        } catch let error as ServiceError where error.code == .timeout {
            throw VerificationError(
                "\(count) were to sleep on the clock; after \(limit) it is \(sleepers) (the clock shows \(now))")
        }
    }

    private func observe(_ count: Int) async throws {
        try await suspended { id, continuation in
            state.withLock { state -> Wake in
                guard state.enter(id) else { return Wake(cancelled: [continuation]) }
                guard state.sleepers.count < count else { return Wake(due: [continuation]) }
                state.observers[id] = Observer(count: count, continuation: continuation)
                return Wake()
            }
        }
    }
}

extension ManualClock {
    /// Who is resumed once the lock is free: foreign code must not run inside it.
    private struct Wake {
        var due: [CheckedContinuation<Void, any Error>] = []
        var cancelled: [CheckedContinuation<Void, any Error>] = []
    }

    /// Suspends the caller under a number of its own; a cancelled task is woken at once.
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
    /// Takes out the values that a condition names.
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
