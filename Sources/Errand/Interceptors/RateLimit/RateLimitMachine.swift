import ErrandSupport

/// Decides for one host which calls may go when, without doing anything itself.
///
/// A call comes with ``enter(_:priority:remaining:now:)`` and, if it goes or waits, leaves once: with
/// ``leave(_:_:now:)`` when it has ended, or with ``abandon(_:now:)`` when it never went. After each of these, and at
/// ``next(now:)``, ``advance(now:)`` says who goes.
package struct RateLimitMachine: Sendable {
    package enum Verdict: Sendable, Hashable {
        case go
        /// Until ``advance(now:)`` names it; why.
        case wait(Reason)
        case refuse(Refusal)
    }

    /// A wait that would be too long.
    package struct Refusal: Sendable, Hashable {
        package let wait: Duration
        package let reason: Reason

        package init(wait: Duration, reason: Reason) {
            self.wait = wait
            self.reason = reason
        }
    }

    /// What a call waits for.
    package enum Reason: Sendable, Hashable {
        /// The host has said so.
        case server
        /// The policy's own rate.
        case rate
        /// A place among those that may be under way at once.
        case place
        /// The answer to the first call after a limit, which may bring the next.
        case lead
        /// Others came first.
        case turn
    }

    /// After a limit has held calls up, they go one by one until the first answer: else all of them would run into the next
    /// limit together.
    private struct Care: Sendable {
        var leads: Set<Int> = []
        /// When the next one goes though no answer has come.
        var nextAt: Duration?
    }

    package private(set) var running: Set<Int> = []
    private var queue = WaiterQueue()
    package private(set) var bucket: TokenBucket?
    private var quotas = ServerQuotas()
    private var care: Care?
    private let concurrency: Int
    private let longestWait: Duration
    private let pause: Duration

    package init(_ policy: RateLimitInterceptor.Policy) {
        bucket = policy.rate.map(TokenBucket.init)
        concurrency = max(1, policy.concurrency ?? .max)
        longestWait = policy.longestWait
        pause = min(max(.zero, policy.pause), RetryAfter.longest)
    }

    /// How many wait.
    package var waiting: Int { queue.count }

    /// Whether calls are under way or wait: then the machine must not be forgotten.
    package var isOccupied: Bool { !running.isEmpty || !queue.isEmpty }

    /// Whether it says no more than a new one would.
    package func isIdle(at now: Duration) -> Bool {
        !isOccupied && care == nil && quotas.isOver(at: now) && bucket?.isFull(at: now) != false
    }

    /// A call comes, under a number of its own; `remaining` is what its deadline leaves, nil where it has none.
    package mutating func enter(_ id: Int, priority: Double, remaining: Duration?, now: Duration) -> Verdict {
        let obstacle = obstacle(now)
        if queue.isEmpty, obstacle == nil {
            start(id, now)
            return .go
        }
        if let (wait, reason) = knownWait(behind: queue.count(before: priority), now), isTooLong(wait, remaining) {
            return .refuse(Refusal(wait: wait, reason: reason))
        }
        queue.add(id, priority: priority, latest: remaining.map { now + $0 })
        return .wait(obstacle?.reason ?? .turn)
    }

    /// A call that went has ended: what its answer says; nil where none came.
    ///
    /// - Returns: Those who wait for what is now known to come too late for them: they have left.
    package mutating func leave(_ id: Int, _ reading: RateLimitReading?, now: Duration) -> [Int: Refusal] {
        guard running.remove(id) != nil else { return [:] }
        let isLead = care?.leads.remove(id) != nil
        if let reading { return take(reading, isLead: isLead, now: now) }
        if isLead, care?.leads.isEmpty == true { care?.nextAt = nil }
        return [:]
    }

    /// Takes in what an answer says whose call no machine knew of.
    package mutating func take(_ reading: RateLimitReading, isLead: Bool = false, now: Duration) -> [Int: Refusal] {
        let before = quotas.blocked(at: now)
        if !reading.isEmpty { quotas.take(reading, pause: pause, at: now) }
        guard let blocked = quotas.blocked(at: now) else {
            if isLead { care = nil }
            return [:]
        }
        care = Care()
        return blocked == before ? [:] : refuseTooLate(until: blocked, now)
    }

    /// A call gives up before it is sent: it waited, or had just been let through. Harmless for one that has left.
    package mutating func abandon(_ id: Int, now: Duration) {
        if queue.remove(id) { return }
        guard running.contains(id) else { return }
        bucket?.giveBack()
        quotas.count(-1, at: now)
        _ = leave(id, nil, now: now)
    }

    /// Others share a call that waits: it may be more urgent, and have longer. `remaining` is as in
    /// ``enter(_:priority:remaining:now:)``.
    package mutating func raise(_ id: Int, to priority: Double, remaining: Duration?, now: Duration) {
        queue.raise(id, to: priority, latest: remaining.map { now + $0 })
    }

    /// Lets those go who may, in their order.
    package mutating func advance(now: Duration) -> [Int] {
        var going: [Int] = []
        while !queue.isEmpty, obstacle(now) == nil, let waiter = queue.popFirst() {
            start(waiter.id, now)
            going.append(waiter.id)
        }
        return going
    }

    /// When somebody may go though nobody leaves; nil where nobody waits, or only for others to leave.
    package func next(now: Duration) -> Duration? {
        queue.isEmpty || running.count >= concurrency ? nil : obstacle(now)?.until ?? now
    }
}

extension RateLimitMachine {
    /// What holds up a call that is the next in its turn; until when, where that is known.
    private func obstacle(_ now: Duration) -> (reason: Reason, until: Duration?)? {
        if let until = quotas.blocked(at: now) { return (.server, until) }
        if let ready = bucket?.ready, ready > now { return (.rate, ready) }
        if running.count >= concurrency { return (.place, nil) }
        if let care, !care.leads.isEmpty, let next = care.nextAt, next > now { return (.lead, next) }
        return nil
    }

    private mutating func start(_ id: Int, _ now: Duration) {
        running.insert(id)
        bucket?.take(at: now)
        quotas.count(1, at: now)
        care?.leads.insert(id)
        care?.nextAt = now + pause
        // The last one of a quota: who comes next has to wait for its reset.
        if care == nil, quotas.blocked(at: now) != nil { care = Care() }
    }

    /// The wait that is sure, behind so many others.
    private func knownWait(behind others: Int, _ now: Duration) -> (Duration, Reason)? {
        let server = quotas.blocked(at: now).map { ($0 - now, Reason.server) }
        let rate = bucket?.ready(after: others).map { ($0 - now, Reason.rate) }
        return [server, rate].compactMap(\.self).max { $0.0 < $1.0 }
    }

    private func isTooLong(_ wait: Duration, _ remaining: Duration?) -> Bool {
        guard wait > .zero else { return false }
        return wait > longestWait || remaining.map { wait >= $0 } == true
    }

    private mutating func refuseTooLate(until: Duration, _ now: Duration) -> [Int: Refusal] {
        let late = queue.all.filter { isTooLong(until - now, $0.latest.map { $0 - now }) }
        for waiter in late { queue.remove(waiter.id) }
        let refusal = Refusal(wait: until - now, reason: .server)
        return Dictionary(uniqueKeysWithValues: late.map { ($0.id, refusal) })
    }
}
