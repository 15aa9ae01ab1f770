/// How urgent a request is that several callers share: as urgent as the most urgent one, also where that one comes last.
package final class Urgency: Sendable {
    private let state: Locked<Double>

    package init(_ priority: Double) {
        state = Locked(priority)
    }

    /// The highest so far.
    package var value: Double { state.withLock { $0 } }

    /// Raises it; a lower one changes nothing.
    package func raise(to priority: Double) {
        state.withLock { $0 = max($0, priority) }
    }
}

extension RequestOptions {
    /// How urgent the call is at this moment, 0 to 1: its ``priority``, or what others who share it ask for.
    package var urgency: Double {
        let own = priority.isNaN ? 0.5 : min(max(0, priority), 1)
        return max(own, sharedUrgency?.value ?? 0)
    }
}
