/// One host: the machine, those who wait for its word, and the alarm that wakes the next of them.
struct RateLimitLane: Sendable {
    /// What becomes of a call that waits.
    enum Ruling: Sendable {
        case go
        case refuse(RateLimitMachine.Refusal)
    }

    /// What is done once the lock is free, as it is not this type's own code that runs then.
    struct Effects: Sendable {
        fileprivate(set) var rulings: [(waiter: AsyncStream<Ruling>.Continuation, ruling: Ruling)] = []
        fileprivate(set) var oldAlarm: Task<Void, Never>?
        /// The alarm that is to be set, and its number.
        fileprivate(set) var alarm: (id: Int, at: Duration)?
    }

    private(set) var machine: RateLimitMachine
    private var waiters: [Int: AsyncStream<Ruling>.Continuation] = [:]
    private var alarm: Task<Void, Never>?
    private var alarmAt: Duration?
    private var alarmID = 0

    init(_ policy: RateLimitInterceptor.Policy) {
        machine = RateLimitMachine(policy)
    }

    /// A call comes; where it waits, its ruling arrives in the stream.
    mutating func enter(
        _ id: Int, priority: Double, remaining: Duration?, now: Duration
    ) -> (verdict: RateLimitMachine.Verdict, rulings: AsyncStream<Ruling>?) {
        let verdict = machine.enter(id, priority: priority, remaining: remaining, now: now)
        guard case .wait = verdict else { return (verdict, nil) }
        // A stream, not a continuation: the ruling may come before its reader, and a cancelled reader ends by itself.
        let (rulings, waiter) = AsyncStream<Ruling>.makeStream()
        waiters[id] = waiter
        return (verdict, rulings)
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

    /// Finds out who goes now, and when to look again; after each change.
    mutating func settle(
        _ refused: [Int: RateLimitMachine.Refusal] = [:], now: Duration, lastAlarm: inout Int
    ) -> Effects {
        var effects = Effects()
        for (id, refusal) in refused {
            if let waiter = waiters.removeValue(forKey: id) { effects.rulings.append((waiter, .refuse(refusal))) }
        }
        for id in machine.advance(now: now) {
            if let waiter = waiters.removeValue(forKey: id) { effects.rulings.append((waiter, .go)) }
        }
        let next = machine.next(now: now)
        guard next != alarmAt else { return effects }
        effects.oldAlarm = alarm
        (alarm, alarmAt) = (nil, next)
        if let next {
            lastAlarm &+= 1
            alarmID = lastAlarm
            effects.alarm = (alarmID, next)
        }
        return effects
    }

    /// Keeps an alarm; false where another one has taken its place, or none is needed any longer.
    mutating func keep(_ task: Task<Void, Never>, id: Int) -> Bool {
        guard id == alarmID, alarmAt != nil else { return false }
        alarm = task
        return true
    }

    /// An alarm has gone off; false for one that is not this lane's any longer.
    mutating func wake(_ id: Int) -> Bool {
        guard id == alarmID, alarmAt != nil else { return false }
        (alarm, alarmAt) = (nil, nil)
        return true
    }
}
