import Errand
import Foundation
import TestSupport

/// Random orders of events on a refresh machine. Each step checks the invariants against a reference that records only
/// the results of each waiter.
struct RefreshScene {
    private typealias Machine = RefreshMachine<Int>

    private var random: SplitMix
    private var machine = Machine()
    private var now: Duration = .zero
    private var log: [String] = []
    private(set) var complaints: [String] = []

    private var lastWaiter = 0
    private var waiting: Set<Int> = []
    /// The running refreshes, each from its start to its own end, with the epoch that each belongs to.
    private var wire: [Machine.Refresh: Int] = [:]
    /// Incremented with each sign-in and sign-out.
    private var epoch = 0
    /// The refresh that the machine should be running. `isLate` is true when its waiters have been released.
    private var active: Machine.Refresh?
    private var isLate = false
    private var storing: (refresh: Machine.Refresh, token: OAuthToken)?
    /// All issued tokens with their expiry.
    private var issued: [OAuthToken: Duration?] = [:]
    private var refused: Set<OAuthToken> = []
    private var newest: OAuthToken?
    private var isSignedIn = false
    private var quietUntil: Duration = .zero
    private var lastGeneration: UInt64 = 0
    /// The leases that were used last, for late refusals.
    private var used: [Machine.Lease] = []

    init(seed: UInt64) {
        random = SplitMix(state: seed)
        signIn()
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps where complaints.isEmpty {
            step()
            check()
        }
        // When all running refreshes have ended, no waiter may remain.
        for refresh in wire.keys where complaints.isEmpty { end(refresh) }
        if complaints.isEmpty, !waiting.isEmpty || !machine.waiters.isEmpty { complain("a waiter remains") }
    }

    private mutating func step() {
        switch random.next() % 16 {
        case 0...3: ask()
        case 4, 5: refuse()
        case 6: cancel()
        case 7, 8: advance()
        case 9, 10: if let refresh = onWire() { land(refresh) }
        case 11, 12: if let storing, storing.refresh == active { store(storing.refresh) }
        case 13: if let refresh = onWire() { fail(refresh, ends: random.next() % 3 == 0) }
        case 14: if let refresh = random.next() % 4 == 0 ? onWire() : active { overdue(refresh) }
        default: if random.next() % 3 == 0 { random.next() % 2 == 0 ? signIn() : signOut() }
        }
    }

    /// Returns any running refresh, in an order that the seed determines.
    private mutating func onWire() -> Machine.Refresh? {
        wire.keys.sorted { $0.number < $1.number }.randomElement(using: &random)
    }

    private mutating func complain(_ text: String) {
        complaints.append("\(text) [\(log.joined(separator: ", "))]")
    }

    private mutating func check() {
        if machine.waiters != waiting { complain("the machine has waiters \(machine.waiters), expected \(waiting)") }
        if active == nil || isLate, !waiting.isEmpty { complain("waiters without a refresh") }
        if wire.keys.contains(where: { machine.isUnderWay($0) != ($0 == active) }) { complain("wrong refresh") }
        if machine.generation < lastGeneration { complain("the generation decreased") }
        lastGeneration = machine.generation
        if isSignedIn, machine.token != newest { complain("the newest token was lost") }
        if !isSignedIn, machine.token != nil { complain("a token remains without a session") }
    }
}

extension RefreshScene {
    private mutating func ask() {
        lastWaiter += 1
        log.append("ask \(lastWaiter) at \(now)")
        take(machine.ask(lastWaiter, now: now), lastWaiter)
    }

    private mutating func refuse() {
        guard let lease = used.randomElement(using: &random) else { return }
        lastWaiter += 1
        log.append("refuse generation \(lease.generation) for \(lastWaiter)")
        let isCurrent = isSignedIn && storing == nil && lease.generation == machine.generation
        let decision = machine.refused(lease.generation, lastWaiter, now: now)
        if isCurrent, decision != .keepRefusal { refused.insert(lease.token) }
        if case .use(let other, _) = decision, other.generation == lease.generation {
            complain("the refused token was used again")
        }
        take(decision, lastWaiter)
    }

    private mutating func take(_ decision: Machine.Decision, _ waiter: Int) {
        switch decision {
        case .use(let lease, let refresh):
            see(lease, isAsked: true)
            if let refresh { begin(refresh) }
        case .wait(let refresh):
            if !isSignedIn { complain("a waiter without a session") }
            waiting.insert(waiter)
            if let refresh { begin(refresh) }
        case .fail: if isSignedIn, now >= quietUntil, !isLate { complain("a failure without a reason") }
        case .keepRefusal: break
        }
    }

    private mutating func begin(_ refresh: Machine.Refresh) {
        log.append("refresh \(refresh.number)")
        if wire.values.contains(epoch) { complain("two running refreshes") }
        if now < quietUntil { complain("a refresh during the pause") }
        (active, isLate) = (refresh, false)
        if wire.updateValue(epoch, forKey: refresh) != nil { complain("the same refresh started twice") }
    }

    private mutating func see(_ lease: Machine.Lease, isAsked: Bool) {
        if !isSignedIn { complain("a token without a session") }
        if lease.token != newest { complain("not the newest token was used") }
        if storing != nil { complain("a token was used before it was stored") }
        if isAsked, refused.contains(lease.token) { complain("a refused token was used") }
        if isAsked, let expiry = issued[lease.token] ?? nil, expiry <= now { complain("an expired token was used") }
        used = (used + [lease]).suffix(5)
    }

    private mutating func cancel() {
        guard let waiter = waiting.randomElement(using: &random) else { return }
        log.append("cancel \(waiter)")
        waiting.remove(waiter)
        if !machine.cancel(waiter) { complain("an unknown waiter") }
    }

    private mutating func advance() {
        now += .milliseconds(Int(random.next() % (random.next() % 2 == 0 ? 2_000 : 60_000)))
    }

    private mutating func told(_ resumed: Machine.Resumed?, isFailure: Bool) {
        guard let resumed else { return complain("no result was delivered") }
        if resumed.waiters != waiting { complain("not all waiters received the result") }
        waiting = []
        switch resumed.result {
        case .success(let lease):
            if isFailure { complain("expected a failure, found a token") }
            see(lease, isAsked: false)
        case .failure: if !isFailure { complain("expected a token, found a failure") }
        }
    }
}

extension RefreshScene {
    private mutating func issue() -> (OAuthToken, Duration?) {
        let lifetime: Duration? =
            random.next() % 4 == 0 ? nil : .seconds(Int(random.next() % 100)) - .seconds(Int(random.next() % 2))
        let token = OAuthToken(access: Secret("\(issued.count)"), refresh: Secret("r\(issued.count)"))
        issued[token] = .some(lifetime.map { now + $0 })
        return (token, lifetime)
    }

    private mutating func signIn() {
        log.append("sign in")
        let (token, lifetime) = issue()
        (newest, isSignedIn, quietUntil) = (token, true, .zero)
        newEpoch()
        told(machine.signIn(token), isFailure: false)
        machine.measure(lifetime: lifetime, now: now)
    }

    private mutating func signOut() {
        log.append("sign out")
        (newest, isSignedIn) = (nil, false)
        newEpoch()
        told(machine.signOut(ServiceError(.authorization, "out")), isFailure: true)
    }

    /// Running refreshes continue, but their results are ignored.
    private mutating func newEpoch() {
        epoch += 1
        (active, isLate) = (nil, false)
        if let storing { wire[storing.refresh] = nil }
        storing = nil
    }

    private mutating func land(_ refresh: Machine.Refresh) {
        guard storing?.refresh != refresh else { return }
        log.append("land \(refresh.number)")
        let (token, lifetime) = issue()
        let isTaken = machine.received(refresh, token, lifetime: lifetime, now: now)
        if isTaken != (wire[refresh] == epoch) { complain(isTaken ? "outdated token accepted" : "token lost") }
        guard isTaken else { return wire[refresh] = nil }
        (newest, quietUntil) = (token, .zero)
        if isLate { end() } else { storing = (refresh, token) }
        if machine.received(refresh, token, lifetime: lifetime, now: now) { complain("token received twice") }
    }

    private mutating func store(_ refresh: Machine.Refresh) {
        log.append("store \(refresh.number)")
        end()
        told(machine.stored(refresh, now: now), isFailure: false)
    }

    private mutating func fail(_ refresh: Machine.Refresh, ends: Bool) {
        guard storing?.refresh != refresh else { return }
        log.append("fail \(refresh.number)\(ends ? ", ends" : "")")
        let (resumed, hasEnded) = machine.failed(refresh, ServiceError(.transport, "x"), endsSession: ends, now: now)
        guard refresh == active else {
            wire[refresh] = nil
            if resumed != nil || hasEnded { complain("a failure of an inactive refresh had an effect") }
            return
        }
        end()
        if hasEnded != ends { complain("wrong end of the session") }
        if hasEnded { (isSignedIn, newest) = (false, nil) } else { quietUntil = now + .seconds(1) }
        told(resumed, isFailure: true)
    }

    private mutating func overdue(_ refresh: Machine.Refresh) {
        log.append("overdue \(refresh.number)")
        let resumed = machine.overdue(refresh, ServiceError(.timeout, "x"), now: now)
        guard refresh == active, !isLate else {
            if resumed != nil { complain("an overdue refresh without waiters had an effect") }
            return
        }
        let isStored = storing != nil
        if isStored { end() } else { isLate = true }
        told(resumed, isFailure: !isStored)
    }

    private mutating func end(_ refresh: Machine.Refresh) {
        if storing?.refresh == refresh { store(refresh) } else { fail(refresh, ends: false) }
        check()
    }

    /// Records that the machine's refresh has ended.
    private mutating func end() {
        if let active { wire[active] = nil }
        (active, storing, isLate) = (nil, nil, false)
    }
}
