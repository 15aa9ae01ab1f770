/// The state machine of token refreshes. It decides which requests use the current token, which ones wait, and when a
/// refresh starts. It does no I/O.
///
/// At most one refresh is running, even if it is overdue and no request waits for it any longer. Each token has a
/// generation, so that a 401 for an old token starts no refresh. Between ``received(_:_:lifetime:isFound:now:)`` and
/// ``stored(_:now:)``, no request gets the new token.
package struct RefreshMachine<Waiter: Hashable & Sendable>: Sendable {
    /// The settings of the token renewal.
    package struct Settings: Sendable, Hashable {
        /// A token that expires within this time is renewed while it is still used. The default is 30 seconds.
        package var early: Duration = .seconds(30)
        /// A token that expires within this time is no longer used, because clocks differ. The default is 5 seconds.
        package var skew: Duration = .seconds(5)
        /// The minimum time between a failed refresh and the next one. A new token that is refused within this time is
        /// not renewed again, because the refusal probably has another reason. The default is 1 second.
        package var pause: Duration = .seconds(1)

        package init() {}
    }

    /// A token to use, and its generation.
    package struct Lease: Sendable, Hashable {
        package let token: OAuthToken
        package let generation: UInt64
        /// The remaining lifetime, or `nil` if it is unknown.
        package let remaining: Duration?
    }

    /// A refresh, identified by its number.
    package struct Refresh: Sendable, Hashable {
        package let number: UInt64
    }

    /// The decision on a request that requires a token. If it has a refresh, the caller starts that refresh.
    package enum Decision: Sendable, Hashable {
        case use(Lease, begin: Refresh? = nil)
        case wait(begin: Refresh? = nil)
        case fail(Failure)
        /// The refusal is final: a new token would be refused as well.
        case keepRefusal
    }

    /// The reason that no token is available.
    package struct Failure: Error, Hashable {
        package let error: ServiceError
        private let id = UUID()

        package init(_ error: ServiceError) { self.error = error }
        package static func == (one: Self, other: Self) -> Bool { one.id == other.id }
        package func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    /// The requests to resume, and their result.
    package typealias Resumed = (waiters: Set<Waiter>, result: Result<Lease, Failure>)

    /// The maximum number of waiting requests: 100,000.
    package static var maximumWaiters: Int { 100_000 }

    private struct Held: Sendable {
        let token: OAuthToken
        let expiry: Duration?
        /// The times at which it becomes due for renewal (`soon`) and is no longer used (`last`).
        let soon: Duration?
        let last: Duration?
        /// The time at which a refresh received it. `nil` if it came from a sign-in or from the store.
        let receipt: Duration?
        var isRefused = false
        /// Whether the lifetime is known. After a sign-in, it is unknown until a request supplies its clock.
        var isMeasured = true
    }

    private let settings: Settings
    private var held: Held?
    private var refresh: Refresh?
    private var isStoring = false
    /// The error for requests that require a token while the refresh is overdue.
    private var delay: Failure?
    private var refreshes: UInt64 = 0
    private var ended: Failure?
    private var lastFailure: (failure: Failure, until: Duration)?
    /// The requests that wait for the refresh.
    package private(set) var waiters: Set<Waiter> = []
    /// The generation of the token. It increases with each token.
    package private(set) var generation: UInt64 = 0

    package init(_ settings: Settings = Settings()) {
        self.settings = settings
    }

    /// The current token, even if it is expired or refused.
    package var token: OAuthToken? { held?.token }

    /// Whether a refresh belongs to this session and has not ended.
    package func isUnderWay(_ refresh: Refresh) -> Bool { refresh == self.refresh }
}

extension RefreshMachine {
    /// Handles a request that requires a token.
    package mutating func ask(_ waiter: Waiter, now: Duration) -> Decision {
        if let ended { return .fail(ended) }
        guard let lease = usable(now) else { return wait(waiter, now) }
        guard let held, let soon = held.soon, now >= soon, refresh == nil, !isPausing(now) else { return .use(lease) }
        return .use(lease, begin: beginRefresh())
    }

    /// Returns the token if it can be used at once and no other action is required, the case of most requests.
    package func ready(now: Duration) -> Lease? {
        guard let lease = usable(now), let held, held.isMeasured, held.soon.map({ now < $0 }) ?? true else {
            return nil
        }
        return lease
    }

    /// Handles a server's refusal of the token of a generation.
    package mutating func refused(_ generation: UInt64, _ waiter: Waiter, now: Duration) -> Decision {
        if let ended { return .fail(ended) }
        guard generation == self.generation, held != nil, !isStoring else { return ask(waiter, now: now) }
        if let receipt = held?.receipt, now - receipt < settings.pause { return .keepRefusal }
        held?.isRefused = true
        return wait(waiter, now)
    }

    /// Removes a waiting request. Returns `false` if it was not waiting.
    package mutating func cancel(_ waiter: Waiter) -> Bool { waiters.remove(waiter) != nil }

    private mutating func wait(_ waiter: Waiter, _ now: Duration) -> Decision {
        guard waiters.count < Self.maximumWaiters else {
            return .fail(
                Failure(
                    ServiceError(
                        .authorization,
                        "expected at most \(Self.maximumWaiters) requests that wait for a token refresh, found more")))
        }
        // The server may already have consumed the refresh token, so it is not sent again before the response arrives.
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
    /// Handles the token of a refresh. Returns `true` if the machine accepts it and the caller must store it.
    ///
    /// The token of an overdue refresh is accepted too, so that a rotated refresh token is not lost. No request waits
    /// for such a token, so requests can use it at once. A token that was found in a store may have any age.
    package mutating func received(
        _ refresh: Refresh, _ token: OAuthToken, lifetime: Duration?, isFound: Bool = false, now: Duration
    ) -> Bool {
        guard refresh == self.refresh, !isStoring else { return false }
        hold(token, lifetime, now, receipt: isFound ? nil : now)
        lastFailure = nil
        if delay == nil { isStoring = true } else { endRefresh() }
        return true
    }

    /// Handles the end of the storing, also after an error. From now on, requests can use the token.
    package mutating func stored(_ refresh: Refresh, now: Duration) -> Resumed? {
        guard refresh == self.refresh, isStoring, let lease = lease(now) else { return nil }
        return settle(.success(lease))
    }

    /// Handles a refresh that failed. If this ends the session, requests get no token until a sign-in.
    ///
    /// - Returns: The requests to resume, and whether this ended the session, which is reported once.
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

    /// Handles an overdue refresh. Waiting requests fail, new requests fail at once, and the refresh continues to its
    /// end. If the refresh is already storing its token, it has succeeded.
    package mutating func overdue(_ refresh: Refresh, _ error: ServiceError, now: Duration) -> Resumed? {
        guard refresh == self.refresh, delay == nil else { return nil }
        guard !isStoring else { return stored(refresh, now: now) }
        let failure = Failure(error)
        delay = failure
        defer { waiters = [] }
        return (waiters, .failure(failure))
    }

    /// Handles a sign-in, which makes a running refresh obsolete. A sign-in has no clock, so the lifetime of the token
    /// is measured by the first request after it: ``measure(lifetime:now:)``.
    package mutating func signIn(_ token: OAuthToken) -> Resumed? {
        (ended, lastFailure) = (nil, nil)
        hold(token, nil, .zero, receipt: nil)
        held?.isMeasured = false
        return lease(.zero).map { settle(.success($0)) }
    }

    /// The token of a sign-in if its lifetime is still unknown.
    package var unmeasured: OAuthToken? { held?.isMeasured == false ? held?.token : nil }

    /// Sets the lifetime of ``unmeasured``.
    package mutating func measure(lifetime: Duration?, now: Duration) {
        guard let held, !held.isMeasured else { return }
        self.held = measured(held.token, lifetime, now, receipt: nil, isRefused: held.isRefused)
    }

    /// Handles a sign-out.
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
        // Without this limit, a token with a lifetime shorter than the margins would be renewed for every request.
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
