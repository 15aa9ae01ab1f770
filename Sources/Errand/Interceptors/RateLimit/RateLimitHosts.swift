/// The queues of all hosts, bounded; those of hosts with calls are never forgotten.
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

    /// A number that no other call has.
    mutating func nextID() -> Int {
        lastID &+= 1
        return lastID
    }

    /// Makes a host known, where it is not; where there are too many, one is forgotten that nobody needs.
    mutating func make(_ origin: Origin, _ now: Duration) {
        guard queues[origin] == nil else { return }
        if queues.count >= limit, let other = leastNeeded(now) { queues[other] = nil }
        queues[origin] = RateLimitQueue(policy)
    }

    /// Finds out what follows from a change, and forgets a host that nothing is to be remembered of.
    mutating func settle(
        _ origin: Origin, _ refused: [Int: RateLimitMachine.Refusal], _ now: Duration
    ) -> RateLimitQueue.Actions {
        let actions = queues[origin]?.settle(refused, now: now, lastAlarm: &lastAlarm)
        if let machine = queues[origin]?.machine, !machine.isOccupied, machine.isIdle(at: now) || queues.count > limit {
            queues[origin] = nil
        }
        return actions ?? RateLimitQueue.Actions()
    }

    /// One that says nothing any more, or else one without calls; nil where calls are under way to all of them.
    private func leastNeeded(_ now: Duration) -> Origin? {
        var unoccupied: Origin?
        for (origin, queue) in queues where !queue.machine.isOccupied {
            if queue.machine.isIdle(at: now) { return origin }
            unoccupied = origin
        }
        return unoccupied
    }
}
