import ErrandSupport

/// Where the token of one account is kept from one launch to the next.
///
/// ``MemoryTokenStore``, ``FileTokenStore``, and on Apple platforms a store in the Keychain are ready.
/// ``OAuthToken/storedForm()`` gives the bytes for one of your own. An ``OAuthAuthorizer`` makes one call of ``load()`` or
/// ``save(_:)`` at a time, and waits for its end: each has to have one.
public protocol TokenStore: Sendable {
    /// The token; nil where there is none.
    func load() async throws -> OAuthToken?

    /// Keeps a token in the place of the last one; nil removes it.
    func save(_ token: OAuthToken?) async throws

    /// Runs a refresh while nobody else who shares the store does: it loads, asks the server, and saves. A sign-in and a
    /// sign-out are saved in it, too. By default nobody else shares the store.
    ///
    /// It has to end within a bound of its own, with an error where it can't run what it is given, and at once where its
    /// task is cancelled. What did not run runs without it then.
    func exclusively(_ refresh: @Sendable () async throws -> Void) async throws
}

extension TokenStore {
    /// Runs the refresh.
    public func exclusively(_ refresh: @Sendable () async throws -> Void) async throws {
        try await refresh()
    }
}

/// A store that is forgotten with the process.
public final class MemoryTokenStore: TokenStore {
    private let token: Locked<OAuthToken?>

    /// Makes a store.
    public init(_ token: OAuthToken? = nil) {
        self.token = Locked(token)
    }

    /// The token; nil where there is none.
    public func load() -> OAuthToken? { token.withLock { $0 } }

    /// Keeps a token, or none.
    public func save(_ token: OAuthToken?) { self.token.withLock { $0 = token } }
}
