public import Errand
import ErrandSupport

/// A clock on which every wait is over at once: it jumps to the moment that is waited for, and notes how far that was.
///
/// ```swift
/// let clock = InstantClock()
/// let loader = APILoader(api, session: .standard(over: script), time: clock)
/// …
/// #expect(clock.waits == [.milliseconds(100), .milliseconds(200)])      // and no time has passed
/// ```
/// For code that waits for one thing at a time. A deadline on it passes as soon as anybody waits for it: for calls with a
/// deadline, and where several wait at once, use ``ManualClock``.
public final class InstantClock: TimeSource {
    private struct State {
        var now: Duration
        var waits: [Duration] = []
    }

    private let start: Date
    private let state: Locked<State>

    /// Makes a clock; the wall clock shows 9 September 2001, 01:46:40 UTC by default.
    public init(now: Duration = .zero, date: Date = Date(timeIntervalSince1970: 1_000_000_000)) {
        start = date - now / .seconds(1)
        state = Locked(State(now: now))
    }

    /// The monotonic time.
    public var now: Duration { state.withLock { $0.now } }

    /// The wall clock, which moves with the monotonic time.
    public var date: Date { start + now / .seconds(1) }

    /// How long each wait would have taken, oldest first.
    public var waits: [Duration] { state.withLock { $0.waits } }

    /// Jumps to a moment; one that has passed is no wait.
    /// - Throws: `CancellationError` in a cancelled task, which does not jump.
    public func sleep(until instant: Duration) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            guard instant > state.now else { return }
            state.waits.append(instant - state.now)
            state.now = instant
        }
        await Task.yield()
    }

    /// Moves the clock.
    public func advance(by duration: Duration) {
        state.withLock { $0.now += max(.zero, duration) }
    }
}
