/// What the callers ask for who share a request: it is as urgent as the most urgent of them, and has as long as the most
/// patient, also where those come last.
package final class SharedDemand: Sendable {
    private struct State {
        var urgency: Double
        /// Nil: somebody waits for ever.
        var deadline: Deadline?
        var watcher: (@Sendable (Double) -> Void)?
    }

    private let state: Locked<State>

    package init(_ options: RequestOptions) {
        state = Locked(State(urgency: options.urgency, deadline: options.deadline))
    }

    /// The highest so far.
    package var urgency: Double { state.withLock { $0.urgency } }

    /// The time that is left to the last of them.
    package var remaining: Duration? { state.withLock { $0.deadline }?.remaining }

    /// Takes one more in.
    package func add(_ options: RequestOptions) {
        let (urgency, deadline, left) = (options.urgency, options.deadline, remaining)
        let isLater = deadline.map { own in left.map { own.remaining > $0 } ?? false } ?? true
        let watcher = state.withLock { state in
            let isMore = urgency > state.urgency
            if isMore { state.urgency = urgency }
            if isLater { state.deadline = deadline }
            return isMore ? state.watcher : nil
        }
        watcher?(urgency)
    }

    /// Tells of each rise of the urgency, and at once what it is; the request is in one queue at a time.
    /// - Parameter watcher: What is told, from any thread; nil for nobody any longer.
    package func watch(_ watcher: (@Sendable (Double) -> Void)?) {
        let urgency = state.withLock { state in
            state.watcher = watcher
            return state.urgency
        }
        watcher?(urgency)
    }
}

extension RequestOptions {
    /// How urgent the call is at this moment, 0 to 1: its ``priority``, or what others who share it ask for.
    package var urgency: Double {
        let own = priority.isNaN ? 0.5 : min(max(0, priority), 1)
        return max(own, sharedDemand?.urgency ?? 0)
    }

    /// What the call has left, for decisions on waits; nil where it has no deadline. A request that is shared has none
    /// itself, as each who waits for it keeps to an own one.
    package var timeLeft: Duration? { deadline?.remaining ?? sharedDemand?.remaining }
}
