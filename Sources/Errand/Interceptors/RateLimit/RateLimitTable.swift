import ErrandSupport

/// The hosts that calls are under way to, or wait for, and those that have named a limit.
final class RateLimitTable: Sendable {
    /// What a call that goes, or waits, brings back.
    struct Ticket: Sendable {
        fileprivate let id: Int
        fileprivate let origin: Origin
        /// When it came.
        let start: Duration
        /// The request's clock.
        fileprivate let time: any TimeSource
    }

    enum Entry: Sendable {
        /// Nothing is known of the host, and nothing has to be.
        case free
        case go(Ticket)
        case wait(Ticket, AsyncStream<RateLimitQueue.Decision>, RateLimitMachine.Reason)
        case refuse(RateLimitMachine.Refusal)
    }

    private typealias Actions = RateLimitQueue.Actions

    /// Whether hosts matter only once they have named a limit.
    private let isPassive: Bool
    private let state: Locked<RateLimitHosts>

    init(_ policy: RateLimitInterceptor.Policy, limit: Int) {
        state = Locked(RateLimitHosts(policy, limit: limit))
        isPassive = policy.rate == nil && policy.concurrency == nil
    }

    /// How many hosts are remembered.
    var hosts: Int { state.withLock { $0.queues.count } }

    /// How many calls wait for a host.
    func waiting(for url: URL?) -> Int {
        let origin = Origin(url)
        return state.withLock { $0.queues[origin]?.machine.waiting ?? 0 }
    }

    /// A call comes.
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

    /// A call has ended; nil where no answer came.
    func leave(_ ticket: Ticket, _ reading: RateLimitReading?) {
        let now = ticket.time.now
        let actions = state.withLock { state -> Actions in
            let refused = state.queues[ticket.origin]?.leave(ticket.id, reading, now: now) ?? [:]
            return state.settle(ticket.origin, refused, now)
        }
        perform(actions, ticket.origin, ticket.time)
    }

    /// A call that was free has ended, and its answer names a limit.
    func learn(_ url: URL?, _ reading: RateLimitReading, on time: any TimeSource) {
        let (origin, now) = (Origin(url), time.now)
        let actions = state.withLock { state -> Actions in
            state.make(origin, now)
            let refused = state.queues[origin]?.take(reading, now: now) ?? [:]
            return state.settle(origin, refused, now)
        }
        perform(actions, origin, time)
    }

    /// Others share a call that waits; harmless for one that does not wait any longer.
    func raise(_ ticket: Ticket, with demand: SharedDemand) {
        let (now, priority, remaining) = (ticket.time.now, demand.urgency, demand.remaining)
        let actions = state.withLock { state -> Actions in
            guard state.queues[ticket.origin] != nil else { return Actions() }
            state.queues[ticket.origin]?.raise(ticket.id, to: priority, remaining: remaining, now: now)
            return state.settle(ticket.origin, [:], now)
        }
        perform(actions, ticket.origin, ticket.time)
    }

    /// A call gives up before it is sent; harmless for one that has left.
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
    /// Wakes waiters, and sets an alarm on the clock of the request that caused the actions.
    private func perform(_ actions: Actions, _ origin: Origin, _ time: any TimeSource) {
        actions.oldAlarm?.cancel()
        for (waiter, decision) in actions.decisions {
            waiter.yield(decision)
            waiter.finish()
        }
        if let alarm = actions.alarm { set(alarm.id, at: alarm.at, origin, time) }
    }

    private func set(_ id: Int, at moment: Duration, _ origin: Origin, _ time: any TimeSource) {
        // Unstructured, as it is nobody's own: it wakes whoever is next by then, and the one who comes first may leave. It
        // is cancelled as soon as nobody waits. Urgent, as those whom it wakes may be.
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
