/// The state machine of token refreshes. It decides which requests use the current token, which ones wait, and when a
/// refresh starts. It does no I/O.
///
/// At most one refresh is running, even if it is overdue and no request waits for it any longer. Each token has a
/// generation, so that a 401 for an old token starts no refresh. Between ``received(_:_:lifetime:isFound:now:)`` and
/// ``stored(_:now:)``, no request gets the new token.
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

    /// A refresh. Each has its own number.
    package struct Refresh: Sendable, Hashable {
        package let number: UInt64
    }

    /// The decision on a request that requires a token. If it has a refresh, the caller starts that refresh.
    package enum Decision: Sendable, Hashable {
        case use(Lease, begin: Refresh? = nil)
        case wait(begin: Refresh? = nil)
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
        /// The time at which a refresh received it. `nil` if it came from a sign-in or from the store.
        let receipt: Duration?
        var isRefused = false
        /// Whether the lifetime is known. After a sign-in it is not, until a request comes with its clock.
        var isMeasured = true
    }

    private let settings: Settings
    private var held: Held?
    private var refresh: Refresh?
    private var isStoring = false
    /// What everybody is told for as long as the refresh is overdue.
    private var delay: Failure?
    private var refreshes: UInt64 = 0
    private var ended: Failure?
    private var lastFailure: (failure: Failure, until: Duration)?
    /// Who waits for the refresh.
    package private(set) var waiters: Set<Waiter> = []
    /// Which token it is: it grows with each.
    package private(set) var generation: UInt64 = 0

    package init(_ settings: Settings = Settings()) {
        self.settings = settings
    }

    /// The token, whether it is good or not.
    package var token: OAuthToken? { held?.token }

    /// Whether a refresh is this session's, and has not ended.
    package func isUnderWay(_ refresh: Refresh) -> Bool { refresh == self.refresh }
}

extension RefreshMachine {
    /// Somebody wants a token.
    package mutating func ask(_ waiter: Waiter, now: Duration) -> Decision {
        if let ended { return .fail(ended) }
        guard let lease = usable(now) else { return wait(waiter, now) }
        guard let held, let soon = held.soon, now >= soon, refresh == nil, !isPausing(now) else { return .use(lease) }
        return .use(lease, begin: beginRefresh())
    }

    /// The token to use at once, where there is nothing else to do: the way that most calls go.
    package func ready(now: Duration) -> Lease? {
        guard let lease = usable(now), let held, held.isMeasured, held.soon.map({ now < $0 }) ?? true else {
            return nil
        }
        return lease
    }

    /// A server has refused the token of a generation.
    package mutating func refused(_ generation: UInt64, _ waiter: Waiter, now: Duration) -> Decision {
        if let ended { return .fail(ended) }
        guard generation == self.generation, held != nil, !isStoring else { return ask(waiter, now: now) }
        if let receipt = held?.receipt, now - receipt < settings.pause { return .keepRefusal }
        held?.isRefused = true
        return wait(waiter, now)
    }

    /// Somebody does not wait any longer; false where nobody of that name did.
    package mutating func cancel(_ waiter: Waiter) -> Bool { waiters.remove(waiter) != nil }

    private mutating func wait(_ waiter: Waiter, _ now: Duration) -> Decision {
        guard waiters.count < Self.mostWaiters else {
            return .fail(Failure(ServiceError(.authorization, "too many calls wait for a refresh")))
        }
        // The server may have taken the refresh token already: nobody shows it again before the answer.
        if let delay { return .fail(delay) }
        if refresh == nil, let last = lastFailure, now < last.until { return .fail(last.failure) }
        waiters.insert(waiter)
        return .wait(begin: refresh == nil ? beginRefresh() : nil)
    }

    private mutating func beginRefresh() -> Refresh {
        refreshes &+= 1
        let refresh = Refresh(number: refreshes)
        self.refresh = refresh
        return refresh
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
    /// A refresh has brought a token: true where it is the machine's now, and is to be stored.
    ///
    /// Also one that is overdue, so that a rotated refresh token is not lost. Nobody waits for that one, so that it is
    /// everybody's at once. One that was found in a store may be of any age.
    package mutating func received(
        _ refresh: Refresh, _ token: OAuthToken, lifetime: Duration?, isFound: Bool = false, now: Duration
    ) -> Bool {
        guard refresh == self.refresh, !isStoring else { return false }
        hold(token, lifetime, now, receipt: isFound ? nil : now)
        lastFailure = nil
        if delay == nil { isStoring = true } else { endRefresh() }
        return true
    }

    /// The token that a refresh brought is stored, or can't be: it is everybody's.
    package mutating func stored(_ refresh: Refresh, now: Duration) -> Resumed? {
        guard refresh == self.refresh, isStoring, let lease = lease(now) else { return nil }
        return settle(.success(lease))
    }

    /// A refresh has brought none. Where that ends the session, nobody gets a token any more until a sign-in.
    ///
    /// - Returns: Who is to be told, and whether the session has ended by it, which is said once.
    package mutating func failed(
        _ refresh: Refresh, _ error: ServiceError, endsSession: Bool, now: Duration
    ) -> (resumed: Resumed?, hasEnded: Bool) {
        guard refresh == self.refresh, !isStoring else { return (nil, false) }
        let failure = Failure(error)
        if endsSession {
            ended = failure
            held = nil
        } else {
            lastFailure = (failure, now + settings.pause)
        }
        return (settle(.failure(failure)), endsSession)
    }

    /// A refresh takes too long: those who wait are let go, those who come fail at once, and the refresh goes on to its own
    /// end. One whose token is only being stored has succeeded.
    package mutating func overdue(_ refresh: Refresh, _ error: ServiceError, now: Duration) -> Resumed? {
        guard refresh == self.refresh, delay == nil else { return nil }
        guard !isStoring else { return stored(refresh, now: now) }
        let failure = Failure(error)
        delay = failure
        defer { waiters = [] }
        return (waiters, .failure(failure))
    }

    /// A sign-in: a refresh that is under way is of the past. A sign-in has no clock, so that the token's lifetime is
    /// measured by the first request after it: ``measure(lifetime:now:)``.
    package mutating func signIn(_ token: OAuthToken) -> Resumed? {
        (ended, lastFailure) = (nil, nil)
        hold(token, nil, .zero, receipt: nil)
        held?.isMeasured = false
        return lease(.zero).map { settle(.success($0)) }
    }

    /// The token of a sign-in whose lifetime is not known yet.
    package var unmeasured: OAuthToken? { held?.isMeasured == false ? held?.token : nil }

    /// Sets the lifetime of ``unmeasured``.
    package mutating func measure(lifetime: Duration?, now: Duration) {
        guard let held, !held.isMeasured else { return }
        self.held = measured(held.token, lifetime, now, receipt: nil, isRefused: held.isRefused)
    }

    /// Somebody has signed out.
    package mutating func signOut(_ error: ServiceError) -> Resumed {
        let failure = Failure(error)
        (ended, held) = (failure, nil)
        return settle(.failure(failure))
    }

    private mutating func hold(_ token: OAuthToken, _ lifetime: Duration?, _ now: Duration, receipt: Duration?) {
        generation &+= 1
        held = measured(token, lifetime, now, receipt: receipt)
    }

    private func measured(
        _ token: OAuthToken, _ lifetime: Duration?, _ now: Duration, receipt: Duration?, isRefused: Bool = false
    ) -> Held {
        // A token that lives shorter than the margins would be renewed for every call.
        let half = lifetime.map { max(.zero, $0) / 2 }
        return Held(
            token: token, expiry: lifetime.map { now + $0 },
            soon: half.map { now + $0 * 2 - min(settings.early, $0) },
            last: half.map { now + $0 * 2 - min(settings.skew, $0) }, receipt: receipt, isRefused: isRefused)
    }

    private mutating func settle(_ result: Result<Lease, Failure>) -> Resumed {
        endRefresh()
        defer { waiters = [] }
        return (waiters, result)
    }

    private mutating func endRefresh() {
        (refresh, isStoring, delay) = (nil, false, nil)
    }
}
