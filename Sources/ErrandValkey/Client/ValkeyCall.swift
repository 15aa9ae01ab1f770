import ErrandSupport

/// A command that waits for its reply. It ends once: with the reply, with an error, or with the cancellation of its task.
final class ValkeyCall: Sendable {
    /// The time at which it fails, by the system clock.
    let deadline: Duration
    private enum State: Sendable {
        case created
        case waiting(CheckedContinuation<RESPValue, any Error>)
        case ended
    }

    private let state = Locked(State.created)

    init(deadline: Duration) {
        self.deadline = deadline
    }

    /// Starts to wait. Returns `false` if the call has been cancelled before.
    func begin(_ waiter: CheckedContinuation<RESPValue, any Error>) -> Bool {
        let begins = state.withLock { state in
            guard case .created = state else { return false }
            state = .waiting(waiter)
            return true
        }
        if !begins { waiter.resume(throwing: CancellationError()) }
        return begins
    }

    /// Ends the call. Later results are discarded.
    func end(_ result: Result<RESPValue, any Error>) {
        let waiter: CheckedContinuation<RESPValue, any Error>? = state.withLock { state in
            defer { state = .ended }
            if case .waiting(let waiter) = state { return waiter }
            return nil
        }
        waiter?.resume(with: result)
    }
}

/// The commands of a connection that have no reply yet, in the order of their sending. A server replies in this order.
struct ValkeyCallQueue: Sendable {
    private var calls: [ValkeyCall?] = []
    /// The index of the oldest call.
    private var first = 0

    var count: Int { calls.count - first }

    mutating func append(_ call: ValkeyCall) { calls.append(call) }

    mutating func popFirst() -> ValkeyCall? {
        guard first < calls.count else { return nil }
        let call = calls[first].take()
        first += 1
        if first > 1_024, first * 2 > calls.count {
            calls.removeFirst(first)
            first = 0
        }
        return call
    }

    /// Returns the calls with a deadline that has passed, and the next deadline. The deadlines have the order of the calls.
    func overdue(at now: Duration) -> (calls: [ValkeyCall], next: Duration?) {
        let waiting = calls[first...].lazy.compactMap(\.self)
        return (waiting.prefix { $0.deadline <= now }.map(\.self), waiting.first { $0.deadline > now }?.deadline)
    }

    mutating func removeAll() -> [ValkeyCall] {
        defer { self = ValkeyCallQueue() }
        return calls[first...].compactMap(\.self)
    }
}
