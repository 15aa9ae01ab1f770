import ErrandSupport

/// A store that keeps the token of one account between launches.
///
/// Errand has ``MemoryTokenStore``, ``FileTokenStore``, and a Keychain store on Apple platforms. A custom store can
/// save the bytes of ``OAuthToken/storedForm()``. An ``OAuthAuthorizer`` makes one call of ``load()`` or ``save(_:)``
/// at a time and waits for its end, so each call must end.
public protocol TokenStore: Sendable {
    /// Returns the token, or `nil` if the store is empty.
    func load() async throws -> OAuthToken?

    /// Saves a token, which replaces the old one. `nil` removes the token.
    func save(_ token: OAuthToken?) async throws

    /// Runs a refresh while no other user of the store runs one. The refresh loads the token, sends a request to the
    /// server, and saves the new token. A sign-in and a sign-out are saved in this method too. The default
    /// implementation is for a store that is not shared.
    ///
    /// It must end within a bounded time: with an error if it cannot run the closure, and at once if its task is
    /// cancelled. If the closure has not run, ``refreshesWithoutLock`` decides whether the authorizer refreshes anyway.
    func exclusively(_ refresh: @Sendable () async throws -> Void) async throws

    /// Whether an authorizer may refresh if ``exclusively(_:)`` cannot run the closure, or if the token cannot be read. The
    /// default is `true`. With `false`, the refresh fails, and requests continue with the current token until it expires.
    /// Return `false` if other processes may send the same refresh token then. A sign-in is saved in each case.
    var refreshesWithoutLock: Bool { get }

    /// The identity of the account. It must be the same in all processes that share the token. An ``OAuthAuthorizer`` has this
    /// identity by default, so that these processes also share limits, responses and idempotency keys. If `nil` (the default),
    /// the authorizer creates a random one.
    var identity: Credentials.Identity? { get }
}

extension TokenStore {
    /// Runs the refresh without a lock.
    public func exclusively(_ refresh: @Sendable () async throws -> Void) async throws {
        try await refresh()
    }

    /// `true`.
    public var refreshesWithoutLock: Bool { true }

    /// `nil`.
    public var identity: Credentials.Identity? { nil }
}

/// A token store in memory. The token is lost when the process ends.
public final class MemoryTokenStore: TokenStore {
    private let token: Locked<OAuthToken?>

    /// Creates a store that contains the given token.
    public init(_ token: OAuthToken? = nil) {
        self.token = Locked(token)
    }

    /// Returns the token, or `nil` if the store is empty.
    public func load() -> OAuthToken? { token.withLock { $0 } }

    /// Saves a token. `nil` removes it.
    public func save(_ token: OAuthToken?) { self.token.withLock { $0 = token } }
}
