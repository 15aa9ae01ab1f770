/// The queues by origin, up to a limit. A queue with running or waiting requests is never removed.
struct RateLimitHosts: Sendable {
    var queues: [Origin: RateLimitQueue] = [:]
    private var lastID = 0
    private var lastAlarm = 0
    private let policy: RateLimitInterceptor.Policy
    private let limit: Int

    init(_ policy: RateLimitInterceptor.Policy, limit: Int) {
        self.policy = policy
        self.limit = limit
    }

    /// Returns a unique number for a request.
    mutating func nextID() -> Int {
        lastID &+= 1
        return lastID
    }

    /// Adds the queue of an origin if it does not exist. At the limit, another queue is removed first if possible.
    mutating func make(_ origin: Origin, _ now: Duration) {
        guard queues[origin] == nil else { return }
        if queues.count >= limit, let other = leastNeeded(now) { queues[other] = nil }
        queues[origin] = RateLimitQueue(policy)
    }

    /// Updates a queue after a change, and removes it if its state is the same as that of a new one. Above the limit,
    /// any unoccupied queue is removed.
    mutating func settle(
        _ origin: Origin, _ refused: [Int: RateLimitMachine.Refusal], _ now: Duration
    ) -> RateLimitQueue.Actions {
        let actions = queues[origin]?.settle(refused, now: now, lastAlarm: &lastAlarm)
        if let machine = queues[origin]?.machine, !machine.isOccupied, machine.isIdle(at: now) || queues.count > limit {
            queues[origin] = nil
        }
        return actions ?? RateLimitQueue.Actions()
    }

    /// Returns an origin with a removable queue, or `nil` if all queues are occupied. Idle queues are preferred.
    private func leastNeeded(_ now: Duration) -> Origin? {
        var unoccupied: Origin?
        for (origin, queue) in queues where !queue.machine.isOccupied {
            if queue.machine.isIdle(at: now) { return origin }
            unoccupied = origin
        }
        return unoccupied
    }
}
