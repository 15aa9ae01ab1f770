import ErrandSupport

/// The state machine of the rate limit of one origin. It decides when each request is sent. It does no I/O.
///
/// ``enter(_:priority:remaining:now:)`` adds a request. Unless it is refused, it is removed once: with
/// ``leave(_:_:now:)`` after its response, or with ``abandon(_:now:)`` if it was not sent. After each of these calls,
/// and at the time that ``next(now:)`` returns, ``advance(now:)`` returns the requests to send.
package struct RateLimitMachine: Sendable {
    package enum Decision: Sendable, Hashable {
        case go
        /// The request waits until ``advance(now:)`` returns it.
        case wait(Reason)
        case refuse(Refusal)
    }

    /// A wait that exceeds the deadline of the request or the maximum wait of the policy.
    package struct Refusal: Sendable, Hashable {
        package let wait: Duration
        package let reason: Reason

        package init(wait: Duration, reason: Reason) {
            self.wait = wait
            self.reason = reason
        }
    }

    /// The reason for a wait.
    package enum Reason: Sendable, Hashable {
        /// The limit of the server.
        case server
        /// The rate of the policy.
        case rate
        /// The maximum number of concurrent requests of the policy.
        case concurrency
        /// The response to a probe: the first request after a limit.
        case probe
        /// Other requests are ahead in the queue.
        case queue
    }

    /// After a limit, requests are sent one by one until the first response. Otherwise all of them would exceed the
    /// next limit together.
    private struct Probing: Sendable {
        var probes: Set<Int> = []
        /// The time at which the next probe is sent although no response has arrived.
        var nextAt: Duration?
    }

    package private(set) var running: Set<Int> = []
    private var queue = WaiterQueue()
    package private(set) var bucket: TokenBucket?
    private var quotas = ServerQuotas()
    private var probing: Probing?
    private let concurrency: Int
    private let maximumWait: Duration
    private let pause: Duration

    package init(_ policy: RateLimitInterceptor.Policy) {
        bucket = policy.rate.map(TokenBucket.init)
        concurrency = max(1, policy.concurrency ?? .max)
        maximumWait = policy.maximumWait
        pause = min(max(.zero, policy.pause), RetryAfter.longest)
    }

    /// The number of waiting requests.
    package var waiting: Int { queue.count }

    /// Whether requests are running or waiting. Such a machine must not be removed.
    package var isOccupied: Bool { !running.isEmpty || !queue.isEmpty }

    /// Whether the machine decides as a new machine would.
    package func isIdle(at now: Duration) -> Bool {
        !isOccupied && probing == nil && quotas.isOver(at: now) && bucket?.isFull(at: now) != false
    }

    /// Adds a request with a unique number. `remaining` is the time until its deadline, or `nil` without a deadline.
    package mutating func enter(_ id: Int, priority: Double, remaining: Duration?, now: Duration) -> Decision {
        let obstacle = obstacle(now)
        if queue.isEmpty, obstacle == nil {
            start(id, now)
            return .go
        }
        if let (wait, reason) = knownWait(behind: queue.count(before: priority), now), isTooLong(wait, remaining) {
            return .refuse(Refusal(wait: wait, reason: reason))
        }
        queue.add(id, priority: priority, latest: remaining.map { now + $0 })
        return .wait(obstacle?.reason ?? .queue)
    }

    /// Removes a request that was sent, and applies the limits in its response. The reading is `nil` if it had no
    /// response.
    ///
    /// - Returns: The waiting requests that are refused now, because their deadline or the longest wait ends before
    ///   the limit.
    package mutating func leave(_ id: Int, _ reading: RateLimitReading?, now: Duration) -> [Int: Refusal] {
        guard running.remove(id) != nil else { return [:] }
        let isProbe = probing?.probes.remove(id) != nil
        if let reading { return take(reading, isProbe: isProbe, now: now) }
        if isProbe, probing?.probes.isEmpty == true { probing?.nextAt = nil }
        return [:]
    }

    /// Applies the limits in the response to a request that was not added before.
    package mutating func take(_ reading: RateLimitReading, isProbe: Bool = false, now: Duration) -> [Int: Refusal] {
        let before = quotas.blocked(at: now)
        if !reading.isEmpty { quotas.take(reading, pause: pause, at: now) }
        guard let blocked = quotas.blocked(at: now) else {
            if isProbe { probing = nil }
            return [:]
        }
        probing = Probing()
        return blocked == before ? [:] : refuseTooLate(until: blocked, now)
    }

    /// Removes a request that was not sent. Does nothing if it was removed before.
    package mutating func abandon(_ id: Int, now: Duration) {
        if queue.remove(id) { return }
        guard running.contains(id) else { return }
        bucket?.giveBack()
        quotas.count(-1, at: now)
        _ = leave(id, nil, now: now)
    }

    /// Raises the priority and the deadline of a waiting request, because another caller shares it now. `remaining` is
    /// as in ``enter(_:priority:remaining:now:)``.
    package mutating func raise(_ id: Int, to priority: Double, remaining: Duration?, now: Duration) {
        queue.raise(id, to: priority, latest: remaining.map { now + $0 })
    }

    /// Admits waiting requests in order.
    package mutating func advance(now: Duration) -> [Int] {
        var going: [Int] = []
        while !queue.isEmpty, obstacle(now) == nil, let waiter = queue.popFirst() {
            start(waiter.id, now)
            going.append(waiter.id)
        }
        return going
    }

    /// The time at which the next waiting request can be sent even if the running requests do not end. `nil` if the
    /// queue is empty or the concurrency limit is reached.
    package func next(now: Duration) -> Duration? {
        queue.isEmpty || running.count >= concurrency ? nil : obstacle(now)?.until ?? now
    }
}

extension RateLimitMachine {
    /// The reason why the first waiting request cannot be sent yet, and the time at which it can be, if known.
    private func obstacle(_ now: Duration) -> (reason: Reason, until: Duration?)? {
        if let until = quotas.blocked(at: now) { return (.server, until) }
        if let ready = bucket?.ready, ready > now { return (.rate, ready) }
        if running.count >= concurrency { return (.concurrency, nil) }
        if let probing, !probing.probes.isEmpty, let next = probing.nextAt, next > now { return (.probe, next) }
        return nil
    }

    private mutating func start(_ id: Int, _ now: Duration) {
        running.insert(id)
        bucket?.take(at: now)
        quotas.count(1, at: now)
        probing?.probes.insert(id)
        probing?.nextAt = now + pause
        // The quota is used up. The next request waits for its reset.
        if probing == nil, quotas.blocked(at: now) != nil { probing = Probing() }
    }

    /// The shortest possible wait behind the given number of other requests.
    private func knownWait(behind others: Int, _ now: Duration) -> (Duration, Reason)? {
        let server = quotas.blocked(at: now).map { ($0 - now, Reason.server) }
        let rate = bucket?.ready(after: others).map { ($0 - now, Reason.rate) }
        return [server, rate].compactMap(\.self).max { $0.0 < $1.0 }
    }

    private func isTooLong(_ wait: Duration, _ remaining: Duration?) -> Bool {
        guard wait > .zero else { return false }
        return wait > maximumWait || remaining.map { wait >= $0 } == true
    }

    private mutating func refuseTooLate(until: Duration, _ now: Duration) -> [Int: Refusal] {
        let late = queue.all.filter { isTooLong(until - now, $0.latest.map { $0 - now }) }
        for waiter in late { queue.remove(waiter.id) }
        let refusal = Refusal(wait: until - now, reason: .server)
        return Dictionary(uniqueKeysWithValues: late.map { ($0.id, refusal) })
    }
}
