import ErrandSupport

/// The origins with running or waiting requests, and those that reported a limit.
final class RateLimitTable: Sendable {
    /// Identifies a request that is running or waiting.
    struct Ticket: Sendable {
        fileprivate let id: Int
        fileprivate let origin: Origin
        /// The time at which the request arrived.
        let start: Duration
        /// The request's clock.
        fileprivate let time: any TimeSource
    }

    enum Entry: Sendable {
        /// The origin has no limits, and the request is not counted.
        case free
        case go(Ticket)
        case wait(Ticket, AsyncStream<RateLimitQueue.Decision>, RateLimitMachine.Reason)
        case refuse(RateLimitMachine.Refusal)
    }

    private typealias Actions = RateLimitQueue.Actions

    /// Whether an origin is stored only after it has reported a limit.
    private let isPassive: Bool
    private let state: Locked<RateLimitHosts>

    init(_ policy: RateLimitInterceptor.Policy, limit: Int) {
        state = Locked(RateLimitHosts(policy, limit: limit))
        isPassive = policy.rate == nil && policy.concurrency == nil
    }

    /// The number of stored origins.
    var hosts: Int { state.withLock { $0.queues.count } }

    /// The number of waiting requests for the origin of a URL.
    func waiting(for url: URL?) -> Int {
        let origin = Origin(url)
        return state.withLock { $0.queues[origin]?.machine.waiting ?? 0 }
    }

    /// Adds a request.
    func enter(_ request: APIRequest) -> Entry {
        if isPassive, hosts == 0 { return .free }
        let time = request.options.time
        let (origin, now, priority) = (Origin(request.url), time.now, request.options.urgency)
        let remaining = request.options.timeLeft
        let (entry, actions) = state.withLock { state -> (Entry, Actions) in
            if !isPassive { state.make(origin, now) }
            let ticket = Ticket(id: state.nextID(), origin: origin, start: now, time: time)
            let entered = state.queues[origin]?.enter(ticket.id, priority: priority, remaining: remaining, now: now)
            guard let entered else { return (.free, Actions()) }
            let actions = state.settle(origin, [:], now)
            switch entered {
            case (.wait(let reason), .some(let decisions)): return (.wait(ticket, decisions, reason), actions)
            case (.refuse(let refusal), _): return (.refuse(refusal), actions)
            case (.go, _), (.wait, .none): return (.go(ticket), actions)
            }
        }
        perform(actions, origin, time)
        return entry
    }

    /// Removes a request that was sent. The reading is `nil` if it had no response.
    func leave(_ ticket: Ticket, _ reading: RateLimitReading?) {
        let now = ticket.time.now
        let actions = state.withLock { state -> Actions in
            let refused = state.queues[ticket.origin]?.leave(ticket.id, reading, now: now) ?? [:]
            return state.settle(ticket.origin, refused, now)
        }
        perform(actions, ticket.origin, ticket.time)
    }

    /// Stores the limits in the response to a request that was not counted.
    func learn(_ url: URL?, _ reading: RateLimitReading, on time: any TimeSource) {
        let (origin, now) = (Origin(url), time.now)
        let actions = state.withLock { state -> Actions in
            state.make(origin, now)
            let refused = state.queues[origin]?.take(reading, now: now) ?? [:]
            return state.settle(origin, refused, now)
        }
        perform(actions, origin, time)
    }

    /// Raises the priority and the deadline of a waiting request that other callers share. Does nothing if it no
    /// longer waits.
    func raise(_ ticket: Ticket, with demand: SharedDemand) {
        let (now, priority, remaining) = (ticket.time.now, demand.urgency, demand.remaining)
        let actions = state.withLock { state -> Actions in
            guard state.queues[ticket.origin] != nil else { return Actions() }
            state.queues[ticket.origin]?.raise(ticket.id, to: priority, remaining: remaining, now: now)
            return state.settle(ticket.origin, [:], now)
        }
        perform(actions, ticket.origin, ticket.time)
    }

    /// Removes a request that was not sent. Does nothing if it was removed before.
    func abandon(_ ticket: Ticket) {
        let now = ticket.time.now
        let actions = state.withLock { state -> Actions in
            state.queues[ticket.origin]?.abandon(ticket.id, now: now)
            return state.settle(ticket.origin, [:], now)
        }
        perform(actions, ticket.origin, ticket.time)
    }
}

extension RateLimitTable {
    /// Resumes waiters, and starts a timer on the clock of the request that caused the actions.
    private func perform(_ actions: Actions, _ origin: Origin, _ time: any TimeSource) {
        actions.oldAlarm?.cancel()
        for (waiter, decision) in actions.decisions {
            waiter.yield(decision)
            waiter.finish()
        }
        if let alarm = actions.alarm { set(alarm.id, at: alarm.at, origin, time) }
    }

    private func set(_ id: Int, at moment: Duration, _ origin: Origin, _ time: any TimeSource) {
        // The task is unstructured because the timer belongs to the queue: it admits the waiter that is first at that
        // time, and the present first waiter can be cancelled. The timer is cancelled when the queue becomes empty. It
        // has a high priority because the waiters may have one.
        let alarm = Task(priority: .userInitiated) {
            while time.now < moment {
                guard (try? await time.sleep(until: moment)) != nil else { return }
            }
            wake(origin, id, time)
        }
        let isKept = state.withLock { $0.queues[origin]?.keep(alarm, id: id) ?? false }
        if !isKept { alarm.cancel() }
    }

    private func wake(_ origin: Origin, _ id: Int, _ time: any TimeSource) {
        let now = time.now
        let actions = state.withLock { state -> Actions in
            guard state.queues[origin]?.wake(id) == true else { return Actions() }
            return state.settle(origin, [:], now)
        }
        perform(actions, origin, time)
    }
}
