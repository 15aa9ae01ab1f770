public import Errand
import ErrandSupport

/// A clock that ends every wait at once: it jumps to the requested instant and records the duration of the wait.
///
/// ```swift
/// let clock = InstantClock()
/// let loader = APILoader(api, session: .standard(over: script), time: clock)
/// …
/// #expect(clock.waits == [.milliseconds(100), .milliseconds(200)])      // no real time has passed
/// ```
/// Use it for code with one wait at a time. A deadline on this clock expires as soon as a task waits for it. For
/// requests with a deadline, and for concurrent waits, use ``ManualClock``.
public final class InstantClock: TimeSource {
    private struct State {
        var now: Duration
        var waits: [Duration] = []
    }

    private let start: Date
    private let state: Locked<State>

    /// Creates a clock. By default, the wall clock starts at 9 September 2001, 01:46:40 UTC.
    public init(now: Duration = .zero, date: Date = Date(timeIntervalSince1970: 1_000_000_000)) {
        start = date - now / .seconds(1)
        state = Locked(State(now: now))
    }

    /// The monotonic time.
    public var now: Duration { state.withLock { $0.now } }

    /// The wall clock, which moves with the monotonic time.
    public var date: Date { start + now / .seconds(1) }

    /// The durations of all waits, oldest first.
    public var waits: [Duration] { state.withLock { $0.waits } }

    /// Jumps to an instant. An instant in the past is not recorded as a wait.
    /// - Throws: `CancellationError` if the task is cancelled. The clock does not jump then.
    public func sleep(until instant: Duration) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            guard instant > state.now else { return }
            state.waits.append(instant - state.now)
            state.now = instant
        }
        await Task.yield()
    }

    /// Moves the clock forward.
    public func advance(by duration: Duration) {
        state.withLock { $0.now += max(.zero, duration) }
    }
}
