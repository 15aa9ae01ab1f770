/// The state of one origin: its state machine, the waiting requests, and the timer that admits the next one.
struct RateLimitQueue: Sendable {
    /// The decision on a waiting request.
    enum Decision: Sendable {
        case go
        case refuse(RateLimitMachine.Refusal)
    }

    /// The work to do after the lock is released, because it runs code of other types.
    struct Actions: Sendable {
        fileprivate(set) var decisions: [(waiter: AsyncStream<Decision>.Continuation, decision: Decision)] = []
        fileprivate(set) var oldAlarm: Task<Void, Never>?
        /// The number and the time of the timer to start.
        fileprivate(set) var alarm: (id: Int, at: Duration)?
    }

    private(set) var machine: RateLimitMachine
    private var waiters: [Int: AsyncStream<Decision>.Continuation] = [:]
    private var alarm: Task<Void, Never>?
    private var alarmAt: Duration?
    private var alarmID = 0

    init(_ policy: RateLimitInterceptor.Policy) {
        machine = RateLimitMachine(policy)
    }

    /// Adds a request. If it waits, the stream delivers its decision.
    mutating func enter(
        _ id: Int, priority: Double, remaining: Duration?, now: Duration
    ) -> (decision: RateLimitMachine.Decision, decisions: AsyncStream<Decision>?) {
        let decision = machine.enter(id, priority: priority, remaining: remaining, now: now)
        guard case .wait = decision else { return (decision, nil) }
        // A stream instead of a continuation: the decision may arrive before its reader, and a cancelled reader ends
        // by itself.
        let (decisions, waiter) = AsyncStream<Decision>.makeStream()
        waiters[id] = waiter
        return (decision, decisions)
    }

    mutating func leave(_ id: Int, _ reading: RateLimitReading?, now: Duration) -> [Int: RateLimitMachine.Refusal] {
        machine.leave(id, reading, now: now)
    }

    mutating func take(_ reading: RateLimitReading, now: Duration) -> [Int: RateLimitMachine.Refusal] {
        machine.take(reading, now: now)
    }

    mutating func raise(_ id: Int, to priority: Double, remaining: Duration?, now: Duration) {
        machine.raise(id, to: priority, remaining: remaining, now: now)
    }

    mutating func abandon(_ id: Int, now: Duration) {
        waiters[id] = nil
        machine.abandon(id, now: now)
    }

    /// Admits requests after a change of the state, and updates the timer.
    mutating func settle(
        _ refused: [Int: RateLimitMachine.Refusal] = [:], now: Duration, lastAlarm: inout Int
    ) -> Actions {
        var actions = Actions()
        for (id, refusal) in refused {
            if let waiter = waiters.removeValue(forKey: id) { actions.decisions.append((waiter, .refuse(refusal))) }
        }
        for id in machine.advance(now: now) {
            if let waiter = waiters.removeValue(forKey: id) { actions.decisions.append((waiter, .go)) }
        }
        let next = machine.next(now: now)
        guard next != alarmAt else { return actions }
        actions.oldAlarm = alarm
        (alarm, alarmAt) = (nil, next)
        if let next {
            lastAlarm &+= 1
            alarmID = lastAlarm
            actions.alarm = (alarmID, next)
        }
        return actions
    }

    /// Keeps a timer's task. Returns `false` if the timer was replaced, or is no longer required.
    mutating func keep(_ task: Task<Void, Never>, id: Int) -> Bool {
        guard id == alarmID, alarmAt != nil else { return false }
        alarm = task
        return true
    }

    /// Handles the end of a timer. Returns `false` if the timer was replaced.
    mutating func wake(_ id: Int) -> Bool {
        guard id == alarmID, alarmAt != nil else { return false }
        (alarm, alarmAt) = (nil, nil)
        return true
    }
}
