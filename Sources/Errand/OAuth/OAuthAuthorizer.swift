import ErrandSupport

/// Bearer tokens of one account that are renewed before they expire, and when a server refuses them.
///
/// ```swift
/// let account = OAuthAuthorizer(client, store: FileTokenStore(place)) { event in
///     if case .sessionEnded = event { showSignIn() }
/// }
/// let session = PlatformSession.platform.intercepted(by: AuthorizationInterceptor(account, at: apiURL))
/// ```
/// However many calls need a new token, one refresh gets it, and they wait for that one. It is a task of its own: no
/// call's cancellation ends it, and what it brings is stored before anybody has it. A refusal of an older token is answered
/// with the newer one, without a refresh. A refresh that fails fails those who wait for it; the next call, after
/// ``Settings/pause``, tries again. `invalid_grant` ends the session, unless somebody who shares the store has another
/// token there: every call fails at once then, until ``signIn(_:)``.
///
/// A refresh that takes longer than ``Settings/refreshDeadline`` goes on, as the server may have taken the refresh token
/// already: its answer is stored when it comes. Until then no other begins, and calls that need a token fail at once. It
/// ends by its store's own bound (``FileTokenStore/longestWait``) and the `timeout` of the ``OAuthClient``.
///
/// What is stored is written by one at a time, in the order of what happened, and while nobody else refreshes who shares
/// the store (``TokenStore/exclusively(_:)``).
///
/// It has no clock of its own: expiry is measured on the clock of the request that needs a token, and a refresh runs on
/// the clock of the request that caused it (``RequestOptions/time``). All requests of a session must share one clock.
///
/// For another account make another authorizer: its ``identity`` does not change.
public final class OAuthAuthorizer: Authorizer {
    /// How tokens are renewed.
    public struct Settings: Sendable, Hashable {
        /// A token that expires within this time is renewed while it is still used: 30 seconds, or half its life.
        public var earlyRefresh: Duration = .seconds(30)
        /// A token that expires within this time is not used any more, as clocks differ: 5 seconds, or half its life.
        public var clockSkew: Duration = .seconds(5)
        /// The longest time that calls wait for a refresh: 30 seconds, from its beginning. It ends their wait, not the
        /// refresh.
        public var refreshDeadline: Duration = .seconds(30)
        /// How long nobody tries again after a refresh that failed: 1 second.
        public var pause: Duration = .seconds(1)

        /// Makes the default settings.
        public init() {}
    }

    /// How a new token is got.
    public enum Grant: Sendable, Hashable {
        /// With the refresh token (RFC 6749, section 6).
        case refreshToken
        /// With the client's own credentials (section 4.4), also the first one; it is never signed out by the server.
        case clientCredentials(scope: [String] = [])
    }

    /// What the program may want to know.
    public enum Event: Sendable {
        /// The server has ended the session, or somebody who shares the store has: said once, until the next sign-in, and
        /// before the calls that waited for a token fail.
        case sessionEnded(ServiceError)
        /// The store can't be read or written. The token stays in memory, and calls go on.
        case storeFailed(ServiceError)
    }

    typealias Machine = RefreshMachine<UInt64>

    struct State {
        var machine: Machine
        var continuations: [UInt64: CheckedContinuation<Machine.Lease, any Error>] = [:]
        var lastWaiter: UInt64 = 0
        /// The refresh that is under way.
        var refresh: Task<Void, Never>?
        /// Ends when the store is free.
        var lastUse: Task<Void, Never>?
        /// What the store held when it was looked at last; nil before that.
        var known: OAuthToken??
        /// What was found there, newer than the machine's, and has to be renewed before anybody can use it.
        var found: OAuthToken?
        /// Whether the last sign-in or sign-out is not stored yet.
        var isUnsaved = false
    }

    /// Whose tokens these are.
    public let identity: Credentials.Identity?
    let settings: Settings
    let store: any TokenStore
    let renew: @Sendable (OAuthToken?, any TimeSource) async throws -> OAuthToken
    let onEvent: @Sendable (Event) -> Void
    let state: Locked<State>

    /// Makes an authorizer; it looks into the store when the first call needs a token.
    /// - Parameters:
    ///   - client: Who asks for tokens, over a session without this interceptor.
    ///   - grant: How.
    ///   - store: Where the account's token is kept.
    ///   - identity: Whose tokens these are; by default a name of this authorizer's own.
    ///   - settings: When tokens are renewed.
    ///   - onEvent: Told what happens besides, on no particular thread; it must not block.
    public convenience init(
        _ client: OAuthClient, grant: Grant = .refreshToken, store: some TokenStore = MemoryTokenStore(),
        identity: Credentials.Identity? = nil, settings: Settings = Settings(),
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.init(store: store, identity: identity, settings: settings, onEvent: onEvent) { last, time in
            switch grant {
            case .clientCredentials(let scope): return try await client.clientCredentials(scope: scope, time: time)
            case .refreshToken:
                guard let last, last.refresh != nil else { throw SessionOver() }
                return try await client.refresh(last, time: time)
            }
        }
    }

    /// Makes an authorizer whose tokens are got in a way of your own: a grant that ``OAuthClient`` does not know, or a server
    /// that is none of OAuth's.
    /// - Parameters:
    ///   - store: Where the account's token is kept.
    ///   - identity: Whose tokens these are; by default a name of this authorizer's own.
    ///   - settings: When tokens are renewed.
    ///   - onEvent: Told what happens besides, on no particular thread; it must not block.
    ///   - renew: Gets a new token. It is given the last token, `nil` for the first, and the clock of the request that
    ///     needs one. It is never called twice at once, and must end by itself. An error with
    ///     ``OAuthError/Code/invalidGrant`` ends the session.
    public init(
        store: any TokenStore, identity: Credentials.Identity? = nil, settings: Settings = Settings(),
        onEvent: @escaping @Sendable (Event) -> Void = { _ in },
        renew: @escaping @Sendable (_ last: OAuthToken?, _ time: any TimeSource) async throws -> OAuthToken
    ) {
        self.store = store
        self.identity = identity ?? Credentials.Identity(SystemRandom().uuid())
        self.settings = settings
        self.onEvent = onEvent
        self.renew = renew
        var own = Machine.Settings()
        (own.early, own.skew, own.pause) = (settings.earlyRefresh, settings.clockSkew, settings.pause)
        state = Locked(State(machine: Machine(own)))
    }
}

/// There is nothing to get a token with.
struct SessionOver: Error {}

extension OAuthAuthorizer {
    /// The present token; waits for a refresh where one is due.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/authorization`` where there is none, and why the refresh
    ///   failed; `CancellationError`.
    public func credentials(for request: APIRequest) async throws -> Credentials {
        let now = request.options.time.now
        if let lease = state.withLock({ $0.machine.ready(now: now) }) { return credentials(lease, request, since: nil) }
        let lease = try await lease(for: request) { machine, waiter, now in machine.ask(waiter, now: now) }
        guard let lease else { throw ServiceError(.authorization, "there is no token") }
        return credentials(lease, request, since: now)
    }

    /// Answers a refusal with a newer token, after a refresh where there is none yet.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/authorization`` where the refresh fails; `CancellationError`.
    public func react(to refusal: AuthorizationInterceptor.Refusal, of credentials: Credentials) async throws
        -> AuthorizationInterceptor.Decision
    {
        let start = refusal.request.options.time.now
        let lease = try await lease(for: refusal.request) { machine, waiter, now in
            machine.refused(credentials.generation, waiter, now: now)
        }
        guard let lease else { return .giveUp }
        return .replay(self.credentials(lease, refusal.request, since: start))
    }

    /// Takes the token of a sign-in, and keeps it in the store. A refresh that is under way is cancelled.
    ///
    /// Calls use the token at once; the return waits for its storing, which waits for others who share the store.
    /// - Throws: What the store throws; the token is used all the same.
    public func signIn(_ token: OAuthToken) async throws {
        try await change { $0.signIn(token) }
    }

    /// Forgets the token, here and in the store: calls fail until the next sign-in. ``OAuthClient/revoke(_:at:time:)`` makes
    /// it worthless at the server. A refresh that is under way is cancelled.
    /// - Returns: The token that was in the store, which another process may have renewed; where it can't be read, the one
    ///   that was used here.
    /// - Throws: What the store throws; calls fail all the same.
    @discardableResult
    public func signOut() async throws -> OAuthToken? {
        try await change { $0.signOut(ServiceError(.authorization, "nobody is signed in")) }
    }

    private func credentials(_ lease: Machine.Lease, _ request: APIRequest, since start: Duration?) -> Credentials {
        var credentials = Credentials.bearer(lease.token.access, generation: lease.generation)
        guard request.options.trail != nil else { return credentials }
        let time = request.options.time
        // The lease of a sign-in that ended the wait was given before its lifetime was measured.
        let remaining = lease.remaining ?? lifetime(of: lease.token, on: time)
        let life = remaining.map { "the token is fresh for \($0.components.seconds) s" } ?? "the token has no expiry"
        let wait = start.map { time.now - $0 } ?? .zero
        credentials.note = wait > .zero ? "waited \(wait.milliseconds) ms for a token; \(life)" : life
        return credentials
    }
}
