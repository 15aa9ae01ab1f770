import ErrandSupport

/// Authorizes requests with the bearer tokens of one account. Tokens are renewed before they expire, and when a server
/// refuses them.
///
/// ```swift
/// let account = OAuthAuthorizer(client, store: FileTokenStore(fileURL)) { event in
///     if case .sessionEnded = event { showSignIn() }
/// }
/// let session = PlatformSession.platform.intercepted(by: AuthorizationInterceptor(account, at: apiURL))
/// ```
/// All requests that require a new token wait for one refresh. It runs in its own task: a cancelled request does not
/// cancel it, and its token is stored before any request uses it. If a server refuses an older token, the request is
/// replayed with the current one, without a refresh. A failed refresh fails the waiting requests. The next request,
/// after ``Settings/pause``, starts another one. `invalid_grant` ends the session, unless the store contains another
/// token that another process saved. After the end of the session, every request fails at once until ``signIn(_:)``.
///
/// A refresh that takes longer than ``Settings/refreshDeadline`` continues, because the server may already have
/// consumed the refresh token. Its response is stored when it arrives. Until then, no other refresh starts, and
/// requests that require a token fail at once. The refresh is bounded by the limit of its store
/// (``FileTokenStore/maximumWait``) and by the `timeout` of the ``OAuthClient``.
///
/// Writes to the store do not overlap and have the order of the changes. They run while no other user of the store
/// refreshes (``TokenStore/exclusively(_:)``).
///
/// The authorizer has no clock. Expiry is measured on the clock of the request that requires a token, and a refresh
/// runs on the clock of the request that caused it (``RequestOptions/time``). All requests of a session must share one
/// clock.
///
/// Create a separate authorizer for each account: the ``identity`` of an authorizer does not change.
public final class OAuthAuthorizer: Authorizer {
    /// The settings of the token renewal.
    public struct Settings: Sendable, Hashable {
        /// A token that expires within this time is renewed while it is still used. The default is 30 seconds. At most
        /// half the lifetime of the token applies.
        public var earlyRefresh: Duration = .seconds(30)
        /// A token that expires within this time is no longer used, because clocks differ. The default is 5 seconds. At
        /// most half the lifetime of the token applies.
        public var clockSkew: Duration = .seconds(5)
        /// The maximum time that requests wait for a refresh, from its start. It ends the wait, not the refresh. The
        /// default is 30 seconds.
        public var refreshDeadline: Duration = .seconds(30)
        /// The minimum time between a failed refresh and the next one. The default is 1 second. A new token that a
        /// server refuses within this time after its refresh is not renewed again.
        public var pause: Duration = .seconds(1)

        /// Creates the default settings.
        public init() {}
    }

    /// The grant that an authorizer uses to get a new token.
    public enum Grant: Sendable, Hashable {
        /// The refresh token (RFC 6749, section 6).
        case refreshToken
        /// The client's own credentials (section 4.4), for the first token as well. No sign-in is required, so the
        /// session never ends because a refresh token is missing.
        case clientCredentials(scope: [String] = [])
    }

    /// An event to report to the program.
    public enum Event: Sendable {
        /// The session has ended: the server refused the refresh, or another process removed the token from the store.
        /// Reported once until the next sign-in, before the requests that wait for a token fail.
        case sessionEnded(ServiceError)
        /// The store cannot be read, written or locked. The token stays in memory, and requests continue.
        case storeFailed(ServiceError)
    }

    typealias Machine = RefreshMachine<UInt64>

    struct State {
        var machine: Machine
        var continuations: [UInt64: CheckedContinuation<Machine.Lease, any Error>] = [:]
        var lastWaiter: UInt64 = 0
        /// The running refresh.
        var refresh: Task<Void, Never>?
        /// The last access to the store. It ends when the store is free.
        var lastUse: Task<Void, Never>?
        /// The token in the store at the last access. The outer optional is `nil` before the first access.
        var known: OAuthToken??
        /// A token from the store that is newer than the machine's, and must be renewed before it is used.
        var found: OAuthToken?
        /// Whether the last sign-in or sign-out is not stored yet.
        var isUnsaved = false
    }

    /// The identity of the account.
    public let identity: Credentials.Identity?
    let settings: Settings
    let store: any TokenStore
    let renew: @Sendable (OAuthToken?, any TimeSource) async throws -> OAuthToken
    let onEvent: @Sendable (Event) -> Void
    let state: Locked<State>

    /// Creates an authorizer. It reads the store when the first request requires a token.
    /// - Parameters:
    ///   - client: The client that requests tokens. Its session must not contain an interceptor with this authorizer.
    ///   - grant: The grant for new tokens. The default is ``Grant/refreshToken``.
    ///   - store: The store of the account's token. By default, the token is kept in memory.
    ///   - identity: The identity of the account. By default, the identity of the store. If the store has none, a
    ///     random identity that is unique to this authorizer.
    ///   - settings: The settings of the token renewal.
    ///   - onEvent: Called with each event, on an arbitrary thread. It must not block.
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

    /// Creates an authorizer that gets tokens from a closure, for a grant that ``OAuthClient`` does not support, or for
    /// a server without OAuth.
    /// - Parameters:
    ///   - store: The store of the account's token.
    ///   - identity: The identity of the account. By default, the identity of the store. If the store has none, a
    ///     random identity that is unique to this authorizer.
    ///   - settings: The settings of the token renewal.
    ///   - onEvent: Called with each event, on an arbitrary thread. It must not block.
    ///   - renew: Returns a new token. It receives the last token, `nil` for the first, and the clock of the request
    ///     that requires the token. Its calls never overlap, and each must end within a bounded time. An error with
    ///     ``OAuthError/Code/invalidGrant`` ends the session.
    public init(
        store: any TokenStore, identity: Credentials.Identity? = nil, settings: Settings = Settings(),
        onEvent: @escaping @Sendable (Event) -> Void = { _ in },
        renew: @escaping @Sendable (_ last: OAuthToken?, _ time: any TimeSource) async throws -> OAuthToken
    ) {
        self.store = store
        self.identity = identity ?? store.identity ?? Credentials.Identity(SystemRandom().uuid())
        self.settings = settings
        self.onEvent = onEvent
        self.renew = renew
        var own = Machine.Settings()
        (own.early, own.skew, own.pause) = (settings.earlyRefresh, settings.clockSkew, settings.pause)
        state = Locked(State(machine: Machine(own)))
    }
}

/// The session is over: the token has no refresh token.
struct SessionOver: Error {}

extension OAuthAuthorizer {
    /// Returns the current token. Waits for a refresh if one is required.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/authorization`` without a token, or the error of the failed
    ///   refresh. `CancellationError` if the task is cancelled.
    public func credentials(for request: APIRequest) async throws -> Credentials {
        let now = request.options.time.now
        if let lease = state.withLock({ $0.machine.ready(now: now) }) { return credentials(lease, request, since: nil) }
        let lease = try await lease(for: request) { machine, waiter, now in machine.ask(waiter, now: now) }
        guard let lease else { throw ServiceError(.authorization, "no token is available: call signIn(_:) first") }
        return credentials(lease, request, since: now)
    }

    /// Replays a refused request with a newer token, which may require a refresh.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/authorization`` if the refresh fails. `CancellationError` if
    ///   the task is cancelled.
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

    /// Uses the token of a sign-in, and saves it in the store. A running refresh is cancelled.
    ///
    /// Requests use the token at once. The method returns when the token is stored, after other users of the store have
    /// released its lock.
    /// - Throws: The error of the store. The token is used nevertheless.
    public func signIn(_ token: OAuthToken) async throws {
        try await change { $0.signIn(token) }
    }

    /// Removes the token from memory and from the store. Requests fail until the next sign-in. A running refresh is
    /// cancelled. To invalidate the token at the server, use ``OAuthClient/revoke(_:at:time:)``.
    /// - Returns: The token that was in the store, which another process may have renewed. If the store is empty or
    ///   cannot be read, the last token that was known here.
    /// - Throws: The error of the store. Requests fail nevertheless.
    @discardableResult
    public func signOut() async throws -> OAuthToken? {
        try await change { $0.signOut(ServiceError(.authorization, "not signed in: call signIn(_:) first")) }
    }

    private func credentials(_ lease: Machine.Lease, _ request: APIRequest, since start: Duration?) -> Credentials {
        var credentials = Credentials.bearer(lease.token.access, generation: lease.generation)
        guard request.options.trail != nil else { return credentials }
        let time = request.options.time
        // A lease from a sign-in that ended the wait was created before its lifetime was measured.
        let remaining = lease.remaining ?? lifetime(of: lease.token, on: time)
        let life = remaining.map { "the token expires in \($0.components.seconds) s" } ?? "the token has no expiry"
        let wait = start.map { time.now - $0 } ?? .zero
        credentials.note = wait > .zero ? "waited \(wait.milliseconds) ms for a token; \(life)" : life
        return credentials
    }
}
