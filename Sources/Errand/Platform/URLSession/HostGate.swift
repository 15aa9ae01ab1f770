import ErrandSupport

/// Limits the number of running requests to each origin. Further requests wait in order.
///
/// The platform would queue them too, but counts the wait against the idle timeout.
final class HostGate: Sendable {
    private struct OriginQueue {
        var running = 0
        private var queue = FIFOQueue<Int>()
        private var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]

        mutating func add(_ ticket: Int, _ waiter: CheckedContinuation<Void, any Error>) {
            queue.append(ticket)
            waiters[ticket] = waiter
        }

        mutating func next() -> CheckedContinuation<Void, any Error>? {
            queue.popFirst().flatMap { waiters.removeValue(forKey: $0) }
        }

        mutating func remove(_ ticket: Int) -> CheckedContinuation<Void, any Error>? {
            queue.remove(ticket) ? waiters.removeValue(forKey: ticket) : nil
        }
    }

    private struct State {
        var queues: [Origin: OriginQueue] = [:]
        var nextID = 0
        /// The tickets that are not in a queue yet. The value is `true` if the request has been cancelled.
        var abandoned: [Int: Bool] = [:]
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// The permission for one request to run. Deinitialization returns it to the gate.
    ///
    /// A call that has ended for its caller may still have a task that the platform is slow to stop. While that task
    /// holds the permit, it counts against the limit.
    final class Permit: Sendable {
        private let gate: HostGate
        private let origin: Origin

        fileprivate init(_ gate: HostGate, _ origin: Origin) {
            self.gate = gate
            self.origin = origin
        }

        deinit { gate.leave(origin) }
    }

    /// Waits until a request to the origin may start.
    /// - Throws: `CancellationError`.
    func enter(_ origin: Origin) async throws -> Permit {
        try await wait(for: origin)
        return Permit(self, origin)
    }

    private func wait(for origin: Origin) async throws {
        try Task.checkCancellation()
        let ticket: Int? = state.withLock { state in
            if state.queues[origin, default: OriginQueue()].running < limit {
                state.queues[origin, default: OriginQueue()].running += 1
                return nil
            }
            state.nextID += 1
            state.abandoned[state.nextID] = false
            return state.nextID
        }
        guard let ticket else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { enqueue($0, ticket, origin) }
        } onCancel: {
            abandon(ticket, origin)
        }
    }

    /// Ends a request, and starts the one that has waited longest.
    private func leave(_ origin: Origin) {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard var queue = state.queues.removeValue(forKey: origin) else { return nil }
            let next = queue.next()
            if next == nil { queue.running -= 1 }
            if queue.running > 0 { state.queues[origin] = queue }
            return next
        }
        next?.resume()
    }

    private func enqueue(_ waiter: CheckedContinuation<Void, any Error>, _ ticket: Int, _ origin: Origin) {
        enum Decision { case now, later, never }
        let decision = state.withLock { state -> Decision in
            if state.abandoned.removeValue(forKey: ticket) == true { return .never }
            // A running request may have ended since the ticket was drawn.
            if state.queues[origin, default: OriginQueue()].running < limit {
                state.queues[origin, default: OriginQueue()].running += 1
                return .now
            }
            state.queues[origin, default: OriginQueue()].add(ticket, waiter)
            return .later
        }
        switch decision {
        case .now: waiter.resume()
        case .never: waiter.resume(throwing: CancellationError())
        case .later: break
        }
    }

    private func abandon(_ ticket: Int, _ origin: Origin) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            if let waiter = state.queues[origin]?.remove(ticket) { return waiter }
            if state.abandoned[ticket] != nil { state.abandoned[ticket] = true }
            return nil
        }
        waiter?.resume(throwing: CancellationError())
    }
}
