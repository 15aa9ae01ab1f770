import ErrandSupport

/// The combined demand of the callers that share a request: the highest urgency and the latest deadline, also of
/// callers that join later.
package final class SharedDemand: Sendable {
    private struct State {
        var urgency: Double
        /// `nil` if a caller has no deadline.
        var deadline: Deadline?
        /// The version of the deadline, incremented with each change.
        var version = 0
        var watcher: (@Sendable () -> Void)?
    }

    private let state: Locked<State>

    package init(_ options: RequestOptions) {
        state = Locked(State(urgency: options.urgency, deadline: options.deadline))
    }

    /// The highest urgency so far.
    package var urgency: Double { state.withLock { $0.urgency } }

    /// The time until the latest deadline, or `nil` if a caller has no deadline.
    package var remaining: Duration? { state.withLock { $0.deadline }?.remaining }

    /// Adds the demand of another caller.
    package func add(_ options: RequestOptions) {
        extend(to: options.deadline)
        let urgency = options.urgency
        let watcher = state.withLock { state in
            state.urgency = max(state.urgency, urgency)
            return state.watcher
        }
        watcher?()
    }

    /// Sets the closure that is called immediately, and again each time that a caller joins. A request waits in one
    /// queue at a time, so one closure is sufficient.
    /// - Parameter watcher: Called on any thread. `nil` removes the present closure.
    package func watch(_ watcher: (@Sendable () -> Void)?) {
        state.withLock { $0.watcher = watcher }
        watcher?()
    }

    /// Replaces the deadline if another one is later. The lock is not held during the comparison, because it calls the
    /// clock, which may be custom code. If another caller changes the deadline meanwhile, the comparison is repeated.
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
    /// The present urgency, from 0 to 1: the ``priority``, or the highest priority of the API calls that share the
    /// request.
    public var urgency: Double {
        let own = priority.isNaN ? 0.5 : min(max(0, priority), 1)
        return max(own, sharedDemand?.urgency ?? 0)
    }

    /// The time left for the request, for decisions about waits. `nil` without a deadline, and negative after it has
    /// passed. A shared request has no ``deadline``, because each API call that waits for it has its own. For such a
    /// request, this is the time until the latest of these deadlines.
    public var timeLeft: Duration? { deadline?.remaining ?? sharedDemand?.remaining }
}
