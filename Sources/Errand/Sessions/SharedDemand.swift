import ErrandSupport

/// What the callers ask for who share a request: it is as urgent as the most urgent of them, and has as long as the most
/// patient, also where those come last.
package final class SharedDemand: Sendable {
    private struct State {
        var urgency: Double
        /// Nil: somebody waits for ever.
        var deadline: Deadline?
        /// Which deadline it is: it grows with each.
        var version = 0
        var watcher: (@Sendable () -> Void)?
    }

    private let state: Locked<State>

    package init(_ options: RequestOptions) {
        state = Locked(State(urgency: options.urgency, deadline: options.deadline))
    }

    /// The highest so far.
    package var urgency: Double { state.withLock { $0.urgency } }

    /// The time that is left to the last of them; nil where somebody waits for ever.
    package var remaining: Duration? { state.withLock { $0.deadline }?.remaining }

    /// Takes one more in.
    package func add(_ options: RequestOptions) {
        extend(to: options.deadline)
        let urgency = options.urgency
        let watcher = state.withLock { state in
            state.urgency = max(state.urgency, urgency)
            return state.watcher
        }
        watcher?()
    }

    /// Tells of each who joins, and once at the beginning; the request is in one queue at a time.
    /// - Parameter watcher: What is told, from any thread; nil for nobody any longer.
    package func watch(_ watcher: (@Sendable () -> Void)?) {
        state.withLock { $0.watcher = watcher }
        watcher?()
    }

    /// Takes a later deadline. What each of them leaves is asked for without the lock, as a clock is somebody's own: hence
    /// the rounds, of which all but one are another caller's success.
    private func extend(to deadline: Deadline?) {
        for _ in 1...1_000 {
            let (present, version) = state.withLock { ($0.deadline, $0.version) }
            guard let present else { return }
            if let deadline, deadline.remaining <= present.remaining { return }
            let isTaken = state.withLock { state in
                guard state.version == version else { return false }
                (state.deadline, state.version) = (deadline, version + 1)
                return true
            }
            if isTaken { return }
        }
    }
}

extension RequestOptions {
    /// How urgent the call is at this moment, 0 to 1: its ``priority``, or what others who share it ask for.
    public var urgency: Double {
        let own = priority.isNaN ? 0.5 : min(max(0, priority), 1)
        return max(own, sharedDemand?.urgency ?? 0)
    }

    /// What the call has left, for decisions on waits; nil where it has no deadline, negative once that has passed. A request
    /// that is shared has no ``deadline`` itself, as each who waits for it keeps to an own one: this is the most patient's.
    public var timeLeft: Duration? { deadline?.remaining ?? sharedDemand?.remaining }
}
