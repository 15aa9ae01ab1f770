/// Decides who may use which token, who waits, and when a refresh begins, without doing anything itself.
///
/// A refresh is a *flight*: at most one is under way, also where it is overdue and nobody waits for it any more. Each token
/// has a generation, so that a refusal of an old one costs no refresh. Between ``landed(_:_:lifetime:isFound:now:)`` and
/// ``stored(_:now:)`` the new token is the machine's, and nobody has it yet.
package struct RefreshMachine<Waiter: Hashable & Sendable>: Sendable {
    /// When a refresh is due.
    package struct Settings: Sendable, Hashable {
        /// A token that expires within this time is renewed while it is still used: 30 seconds.
        package var early: Duration = .seconds(30)
        /// One that expires within this time is not used any more, as clocks differ: 5 seconds.
        package var skew: Duration = .seconds(5)
        /// How long after a refresh that failed the next one may begin, and how long a new token's refusal is believed to
        /// be about something else: 1 second.
        package var pause: Duration = .seconds(1)

        package init() {}
    }

    /// A token to use, and which one it is.
    package struct Lease: Sendable, Hashable {
        package let token: OAuthToken
        package let generation: UInt64
        /// How long it is good for; nil where nobody said.
        package let remaining: Duration?
    }

    /// One refresh; no two have the same number.
    package struct Flight: Sendable, Hashable {
        package let number: UInt64
    }

    /// What somebody is told who wants a token. A flight that comes along is to be begun.
    package enum Answer: Sendable, Hashable {
        case use(Lease, begin: Flight? = nil)
        case wait(begin: Flight? = nil)
        case fail(Failure)
        /// The refusal is the answer: a new token would be refused as well.
        case keepRefusal
    }

    /// Why there is no token.
    package struct Failure: Error, Hashable {
        package let error: ServiceError
        private let id = UUID()

        package init(_ error: ServiceError) { self.error = error }
        package static func == (one: Self, other: Self) -> Bool { one.id == other.id }
        package func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    /// Who is to be told what.
    package typealias Resumed = (waiters: Set<Waiter>, result: Result<Lease, Failure>)

    /// How many may wait at once: 100,000.
    package static var mostWaiters: Int { 100_000 }

    private struct Held: Sendable {
        let token: OAuthToken
        let expiry: Duration?
        /// When it expires soon, and when it is used no more.
        let soon: Duration?
        let last: Duration?
        /// When a flight brought it, new; nil where it was given or found.
        let landing: Duration?
        var isRefused = false
        /// Whether the lifetime is known. After a sign-in it is not, until a request comes with its clock.
        var isMeasured = true
    }

    private let settings: Settings
    private var held: Held?
    private var flight: Flight?
    private var isStoring = false
    /// What everybody is told for as long as the flight is overdue.
    private var delay: Failure?
    private var flights: UInt64 = 0
    private var ended: Failure?
    private var lastFailure: (failure: Failure, until: Duration)?
    /// Who waits for the flight.
    package private(set) var waiters: Set<Waiter> = []
    /// Which token it is: it grows with each.
    package private(set) var generation: UInt64 = 0

    package init(_ settings: Settings = Settings()) {
        self.settings = settings
    }

    /// The token, whether it is good or not.
    package var token: OAuthToken? { held?.token }

    /// Whether a flight is this session's, and has not ended.
    package func isUnderWay(_ flight: Flight) -> Bool { flight == self.flight }
}

extension RefreshMachine {
    /// Somebody wants a token.
    package mutating func ask(_ waiter: Waiter, now: Duration) -> Answer {
        if let ended { return .fail(ended) }
        guard let lease = usable(now) else { return wait(waiter, now) }
        guard let held, let soon = held.soon, now >= soon, flight == nil, !isPausing(now) else { return .use(lease) }
        return .use(lease, begin: takeOff())
    }

    /// The token to use at once, where there is nothing else to do: the way that most calls go.
    package func ready(now: Duration) -> Lease? {
        guard let lease = usable(now), let held, held.isMeasured, held.soon.map({ now < $0 }) ?? true else {
            return nil
        }
        return lease
    }

    /// A server has refused the token of a generation.
    package mutating func refused(_ generation: UInt64, _ waiter: Waiter, now: Duration) -> Answer {
        if let ended { return .fail(ended) }
        guard generation == self.generation, held != nil, !isStoring else { return ask(waiter, now: now) }
        if let landing = held?.landing, now - landing < settings.pause { return .keepRefusal }
        held?.isRefused = true
        return wait(waiter, now)
    }

    /// Somebody does not wait any longer; false where nobody of that name did.
    package mutating func cancel(_ waiter: Waiter) -> Bool { waiters.remove(waiter) != nil }

    private mutating func wait(_ waiter: Waiter, _ now: Duration) -> Answer {
        guard waiters.count < Self.mostWaiters else {
            return .fail(Failure(ServiceError(.authorization, "too many calls wait for a refresh")))
        }
        // The server may have taken the refresh token already: nobody shows it again before the answer.
        if let delay { return .fail(delay) }
        if flight == nil, let last = lastFailure, now < last.until { return .fail(last.failure) }
        waiters.insert(waiter)
        return .wait(begin: flight == nil ? takeOff() : nil)
    }

    private mutating func takeOff() -> Flight {
        flights &+= 1
        let flight = Flight(number: flights)
        self.flight = flight
        return flight
    }

    private func isPausing(_ now: Duration) -> Bool { lastFailure.map { now < $0.until } ?? false }

    private func usable(_ now: Duration) -> Lease? {
        guard ended == nil, !isStoring, let held, !held.isRefused, held.last.map({ now < $0 }) ?? true else {
            return nil
        }
        return lease(now)
    }

    private func lease(_ now: Duration) -> Lease? {
        held.map { held in Lease(token: held.token, generation: generation, remaining: held.expiry.map { $0 - now }) }
    }
}

extension RefreshMachine {
    /// A flight has brought a token: true where it is the machine's now, and is to be stored.
    ///
    /// Also one that is overdue, so that a rotated refresh token is not lost. Nobody waits for that one, so that it is
    /// everybody's at once. One that was found in a store may be of any age.
    package mutating func landed(
        _ flight: Flight, _ token: OAuthToken, lifetime: Duration?, isFound: Bool = false, now: Duration
    ) -> Bool {
        guard flight == self.flight, !isStoring else { return false }
        hold(token, lifetime, now, landing: isFound ? nil : now)
        lastFailure = nil
        if delay == nil { isStoring = true } else { endFlight() }
        return true
    }

    /// The token that a flight brought is stored, or can't be: it is everybody's.
    package mutating func stored(_ flight: Flight, now: Duration) -> Resumed? {
        guard flight == self.flight, isStoring, let lease = lease(now) else { return nil }
        return settle(.success(lease))
    }

    /// A flight has brought none. Where that ends the session, nobody gets a token any more until a sign-in.
    ///
    /// - Returns: Who is to be told, and whether the session has ended by it, which is said once.
    package mutating func failed(
        _ flight: Flight, _ error: ServiceError, endsSession: Bool, now: Duration
    ) -> (resumed: Resumed?, hasEnded: Bool) {
        guard flight == self.flight, !isStoring else { return (nil, false) }
        let failure = Failure(error)
        if endsSession {
            ended = failure
            held = nil
        } else {
            lastFailure = (failure, now + settings.pause)
        }
        return (settle(.failure(failure)), endsSession)
    }

    /// A flight takes too long: those who wait are let go, those who come fail at once, and the flight goes on to its own
    /// end. One whose token is only being stored has succeeded.
    package mutating func overdue(_ flight: Flight, _ error: ServiceError, now: Duration) -> Resumed? {
        guard flight == self.flight, delay == nil else { return nil }
        guard !isStoring else { return stored(flight, now: now) }
        let failure = Failure(error)
        delay = failure
        defer { waiters = [] }
        return (waiters, .failure(failure))
    }

    /// A sign-in: a flight that is under way is of the past. A sign-in has no clock, so that the token's lifetime is
    /// measured by the first request after it: ``measure(lifetime:now:)``.
    package mutating func signIn(_ token: OAuthToken) -> Resumed? {
        (ended, lastFailure) = (nil, nil)
        hold(token, nil, .zero, landing: nil)
        held?.isMeasured = false
        return lease(.zero).map { settle(.success($0)) }
    }

    /// The token of a sign-in whose lifetime is not known yet.
    package var unmeasured: OAuthToken? { held?.isMeasured == false ? held?.token : nil }

    /// Sets the lifetime of ``unmeasured``.
    package mutating func measure(lifetime: Duration?, now: Duration) {
        guard let held, !held.isMeasured else { return }
        self.held = measured(held.token, lifetime, now, landing: nil, isRefused: held.isRefused)
    }

    /// Somebody has signed out.
    package mutating func signOut(_ error: ServiceError) -> Resumed {
        let failure = Failure(error)
        (ended, held) = (failure, nil)
        return settle(.failure(failure))
    }

    private mutating func hold(_ token: OAuthToken, _ lifetime: Duration?, _ now: Duration, landing: Duration?) {
        generation &+= 1
        held = measured(token, lifetime, now, landing: landing)
    }

    private func measured(
        _ token: OAuthToken, _ lifetime: Duration?, _ now: Duration, landing: Duration?, isRefused: Bool = false
    ) -> Held {
        // A token that lives shorter than the margins would be renewed for every call.
        let half = lifetime.map { max(.zero, $0) / 2 }
        return Held(
            token: token, expiry: lifetime.map { now + $0 },
            soon: half.map { now + $0 * 2 - min(settings.early, $0) },
            last: half.map { now + $0 * 2 - min(settings.skew, $0) }, landing: landing, isRefused: isRefused)
    }

    private mutating func settle(_ result: Result<Lease, Failure>) -> Resumed {
        endFlight()
        defer { waiters = [] }
        return (waiters, result)
    }

    private mutating func endFlight() {
        (flight, isStoring, delay) = (nil, false, nil)
    }
}
