import Errand
import Foundation
import TestSupport

/// Random orders of all that can happen to a refresh machine, with what must hold checked at each step against a
/// reference that only remembers what was told to whom.
struct RefreshScene {
    private typealias Machine = RefreshMachine<Int>

    private var random: SplitMix
    private var machine = Machine()
    private var now: Duration = .zero
    private var log: [String] = []
    private(set) var complaints: [String] = []

    private var lastWaiter = 0
    private var waiting: Set<Int> = []
    /// Flights whose end has not been told, oldest first, and the one that the machine is to have.
    private var flights: [Machine.Flight] = []
    private var active: Machine.Flight?
    private var storing: (flight: Machine.Flight, token: OAuthToken)?
    /// Every token that was given, with when it expires.
    private var issued: [OAuthToken: Duration?] = [:]
    private var refused: Set<OAuthToken> = []
    private var newest: OAuthToken?
    private var isSignedIn = false
    private var quietUntil: Duration = .zero
    private var lastGeneration: UInt64 = 0
    /// What somebody has used, for late refusals.
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
        // Whatever is under way ends, and then nobody may be left waiting.
        for flight in flights where complaints.isEmpty { end(flight) }
        if complaints.isEmpty, !waiting.isEmpty || !machine.waiters.isEmpty { complain("somebody is left waiting") }
    }

    private mutating func step() {
        switch random.next() % 16 {
        case 0...3: ask()
        case 4, 5: refuse()
        case 6: cancel()
        case 7, 8: advance()
        case 9, 10: if let flight = flights.randomElement(using: &random) { land(flight) }
        case 11, 12: if let storing, storing.flight == active { store(storing.flight) }
        case 13: if let flight = flights.randomElement(using: &random) { fail(flight, ends: random.next() % 3 == 0) }
        case 14: if let active { overdue(active) }
        default: if random.next() % 3 == 0 { random.next() % 2 == 0 ? signIn() : signOut() }
        }
    }

    private mutating func complain(_ text: String) {
        complaints.append("\(text) [\(log.joined(separator: ", "))]")
    }

    private mutating func check() {
        if machine.waiters != waiting { complain("it knows \(machine.waiters), there wait \(waiting)") }
        if active == nil, !waiting.isEmpty { complain("they wait for nothing") }
        if machine.generation < lastGeneration { complain("a generation went back") }
        lastGeneration = machine.generation
        if isSignedIn, machine.token != newest { complain("it lost the newest token") }
        if !isSignedIn, machine.token != nil { complain("it has a token of nobody") }
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
        let answer = machine.refused(lease.generation, lastWaiter, now: now)
        if isCurrent, answer != .keepRefusal { refused.insert(lease.token) }
        if case .use(let other, _) = answer, other.generation == lease.generation {
            complain("the refused token again")
        }
        take(answer, lastWaiter)
    }

    private mutating func take(_ answer: Machine.Answer, _ waiter: Int) {
        switch answer {
        case .use(let lease, let flight):
            see(lease, isAsked: true)
            if let flight { begin(flight) }
        case .wait(let flight):
            if !isSignedIn { complain("somebody waits without a session") }
            waiting.insert(waiter)
            if let flight { begin(flight) }
        case .fail: if isSignedIn, now >= quietUntil { complain("it failed for nothing") }
        case .keepRefusal: break
        }
    }

    private mutating func begin(_ flight: Machine.Flight) {
        log.append("flight \(flight.number)")
        if active != nil { complain("two flights at once") }
        if now < quietUntil { complain("a flight in the pause") }
        active = flight
        flights.append(flight)
    }

    private mutating func see(_ lease: Machine.Lease, isAsked: Bool) {
        if !isSignedIn { complain("a token without a session") }
        if lease.token != newest { complain("not the newest token") }
        if storing != nil { complain("a token that is not stored") }
        if isAsked, refused.contains(lease.token) { complain("a refused token") }
        if isAsked, let expiry = issued[lease.token] ?? nil, expiry <= now { complain("an expired token") }
        used = (used + [lease]).suffix(5)
    }

    private mutating func cancel() {
        guard let waiter = waiting.randomElement(using: &random) else { return }
        log.append("cancel \(waiter)")
        waiting.remove(waiter)
        if !machine.cancel(waiter) { complain("a waiter was not known") }
    }

    private mutating func advance() {
        now += .milliseconds(Int(random.next() % (random.next() % 2 == 0 ? 2_000 : 60_000)))
    }

    private mutating func told(_ resumed: Machine.Resumed?, isFailure: Bool) {
        guard let resumed else { return complain("nobody was told") }
        if resumed.waiters != waiting { complain("not all were told") }
        waiting = []
        switch resumed.result {
        case .success(let lease):
            if isFailure { complain("a failure is no token") }
            see(lease, isAsked: false)
        case .failure: if !isFailure { complain("a token is no failure") }
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
        (newest, isSignedIn, active, storing, quietUntil) = (token, true, nil, nil, .zero)
        told(machine.signIn(token, lifetime: lifetime, now: now), isFailure: false)
        flightsOfThePast()
    }

    private mutating func signOut() {
        log.append("sign out")
        (newest, isSignedIn, active, storing) = (nil, false, nil, nil)
        told(machine.signOut(ServiceError(.authorization, "out")), isFailure: true)
        flightsOfThePast()
    }

    /// Nothing that they bring counts any more.
    private mutating func flightsOfThePast() {
        for flight in flights {
            if machine.landed(flight, OAuthToken(access: Secret("past")), lifetime: nil, now: now) {
                complain("a flight of the past has landed")
            }
            if machine.failed(flight, ServiceError(.timeout, "past"), endsSession: true, now: now).hasEnded {
                complain("a flight of the past has ended the session")
            }
        }
        flights = []
    }

    private mutating func land(_ flight: Machine.Flight) {
        guard storing?.flight != flight else { return }
        log.append("land \(flight.number)")
        let (token, lifetime) = issue()
        let isTaken = machine.landed(flight, token, lifetime: lifetime, now: now)
        if isTaken {
            (newest, quietUntil) = (token, .zero)
            if flight == active { storing = (flight, token) } else { remove(flight) }
            // What is older than it is of no use.
            flights.removeAll { $0.number < flight.number }
            if active.map({ $0.number < flight.number }) ?? false { complain("an older flight is under way") }
        } else if isSignedIn {
            complain("a token was lost")
        }
    }

    private mutating func store(_ flight: Machine.Flight) {
        log.append("store \(flight.number)")
        (storing, active) = (nil, nil)
        remove(flight)
        told(machine.stored(flight, now: now), isFailure: false)
    }

    private mutating func fail(_ flight: Machine.Flight, ends: Bool) {
        guard storing?.flight != flight else { return }
        log.append("fail \(flight.number)\(ends ? ", ends" : "")")
        let hasNewer = flight.generation != machine.generation
        let (resumed, hasEnded) = machine.failed(flight, ServiceError(.transport, "x"), endsSession: ends, now: now)
        remove(flight)
        guard flight == active else {
            if resumed != nil || hasEnded { complain("a failure of nobody's flight counts") }
            return
        }
        active = nil
        if hasEnded != (ends && !hasNewer) { complain("the session's end") }
        if hasEnded { (isSignedIn, newest, flights) = (false, nil, []) }
        if !hasNewer, !ends { quietUntil = now + .seconds(1) }
        if hasNewer { told(resumed, isFailure: false) } else { told(resumed, isFailure: true) }
    }

    private mutating func overdue(_ flight: Machine.Flight) {
        log.append("overdue \(flight.number)")
        let isStored = storing?.flight == flight
        let hasNewer = !isStored && flight.generation != machine.generation
        let (resumed, cancels) = machine.overdue(flight, ServiceError(.timeout, "x"), now: now)
        if cancels == isStored { complain("a token that is being stored was cancelled") }
        active = nil
        if isStored {
            storing = nil
            remove(flight)
        } else if !hasNewer {
            quietUntil = now + .seconds(1)
        }
        told(resumed, isFailure: !isStored && !hasNewer)
    }

    private mutating func end(_ flight: Machine.Flight) {
        guard flights.contains(flight) else { return }
        if storing?.flight == flight { store(flight) } else { fail(flight, ends: false) }
        check()
    }

    private mutating func remove(_ flight: Machine.Flight) {
        flights.removeAll { $0 == flight }
    }
}
