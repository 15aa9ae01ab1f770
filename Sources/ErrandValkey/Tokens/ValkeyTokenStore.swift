public import Errand
import ErrandSupport

/// A token store on a Valkey or Redis server, for processes on several machines that use one account.
///
/// ```swift
/// let store = ValkeyTokenStore(client, account: "reports", seal: try ValueSeal(key: Secret(key)))
/// let account = OAuthAuthorizer(oauth, store: store)
/// ```
/// The token is encrypted. One process refreshes it, and the others find the new one. The process holds a lease, which it extends
/// while it refreshes. If it is killed, another one can refresh one second after the end of the ``lease``. A process that was
/// stopped for longer cannot replace the token of a later one (fencing).
///
/// While the server cannot be used, no process refreshes, because several of them would send the same refresh token, and an
/// authorization server may then end the session (RFC 9700, section 4.14.2). Requests continue with the current token until it
/// expires. The server must store its data on disk: if it loses a token, the user has to sign in again.
public final class ValkeyTokenStore: TokenStore {
    /// The time of a lease, after which it ends if its process was killed: 5 seconds.
    public static let lease: Duration = .seconds(5)
    /// The maximum time that a process waits for the refresh of another one: 60 seconds.
    public static let maximumWait: Duration = .seconds(60)
    /// The pauses between two attempts to acquire the lease. Each pause is twice the previous one.
    private static let pauses: ClosedRange<Duration> = .milliseconds(5) ... .milliseconds(160)
    /// The time during which a refresh tries to store its token, because no other process has it.
    private static let savingTime: Duration = .seconds(30)
    private static let savingPause: Duration = .milliseconds(100)
    /// The wait after an expired lease, in which its owner may still store a token.
    private static let grace: Duration = .seconds(1)

    private static let lock = ValkeyScript(TokenScript.lock)
    private static let renew = ValkeyScript(TokenScript.renew)
    private static let unlock = ValkeyScript(TokenScript.unlock)
    private static let load = ValkeyScript(TokenScript.load)
    private static let save = ValkeyScript(TokenScript.save)

    private struct State: Sendable {
        /// The fencing number of the lease that this process holds.
        var fence: String?
        /// Whether the server had a token of this account.
        var hasToken = false
    }

    private let client: ValkeyClient
    private let seal: ValueSeal
    private let key: String
    private let time: any TimeSource
    /// The identity of the account: a hash of its name and the prefix.
    public let identity: Credentials.Identity?
    private let state = Locked(State())

    /// Creates a store.
    /// - Parameters:
    ///   - client: The client, which several stores can share.
    ///   - account: The name of the account. All its processes must use the same name, and it must be unique among the accounts
    ///     that share limits, responses or idempotency keys. Never sign in to it as another user, because the stored responses
    ///     of an account remain. The server stores a hash of the name.
    ///   - seal: Encrypts the token.
    ///   - prefix: The first characters of the key on the server. The default is `errand:token:`.
    ///   - time: The clock of the waits for other processes.
    public init(
        _ client: ValkeyClient, account: String, seal: ValueSeal, prefix: String = "errand:token:",
        time: some TimeSource = .system
    ) {
        (self.client, self.seal, self.time) = (client, seal, time)
        let hash = SHA256.hash(Data(account.utf8)).prefix(16).hexadecimal
        key = prefix + hash
        identity = Credentials.Identity(SHA256.hash(Data(key.utf8)).prefix(16).hexadecimal)
    }

    /// `false`: the refresh token could be used twice.
    public var refreshesWithoutLock: Bool { false }

    /// Returns the token, or `nil` if none was stored or the last one was removed.
    /// - Throws: ``/Errand/ServiceError``: ``/Errand/ServiceError/Code/file`` if the token cannot be opened,
    ///   ``/Errand/ServiceError/Code/authorization`` if the server has lost it, and the errors of ``ValkeyClient/ping()``.
    public func load() async throws -> OAuthToken? {
        let reply = try await Self.load.run(client, key: key, [])
        guard let parts = reply.array, parts.count == 2, let text = parts[0].string, let isRemoved = parts[1].integer
        else { throw Self.malformed }
        guard !text.isEmpty else {
            guard isRemoved == 0, state.withLock({ $0.hasToken }) else { return nil }
            throw ServiceError(.authorization, "the server has lost the token: sign in again")
        }
        guard let sealed = Data(base64Encoded: text) else { throw Self.malformed }
        let token = try OAuthToken(storedForm: try seal.open(sealed, context: key))
        state.withLock { $0.hasToken = true }
        return token
    }

    /// Stores a token, which replaces the old one. `nil` removes it. During a refresh, it tries this for up to 30 seconds while the
    /// server cannot be used.
    /// - Throws: ``/Errand/ServiceError``: ``/Errand/ServiceError/Code/file`` if another process has stored a newer token after the
    ///   lease of this one, and the errors of ``ValkeyClient/ping()``. The error of your seal.
    public func save(_ token: OAuthToken?) async throws {
        let fence = state.withLock { $0.fence }
        let value = try token.map { try seal.seal($0.storedForm(), context: key).base64EncodedString() } ?? ""
        let end = time.now + (fence == nil ? .zero : Self.savingTime)
        while true {
            do {
                try await save(value, fence ?? "")
                return state.withLock { $0.hasToken = token != nil }
            } catch {
                guard Self.isTemporary(error), time.now < end else { throw error }
                try await time.sleep(until: time.now + Self.savingPause)
            }
        }
    }

    private func save(_ value: String, _ fence: String) async throws {
        let reply = try await Self.save.run(client, key: key, [fence, value])
        guard let isStored = reply.integer else { throw Self.malformed }
        guard isStored == 1 else {
            throw ServiceError(.file, "the token was not stored: another process has stored a newer one")
        }
    }

    private static func isTemporary(_ error: any Error) -> Bool {
        guard let code = (error as? ServiceError)?.code else { return false }
        // A server that has just started, or that another one has replaced, refuses commands with such an error.
        return [.connection, .connectionLost, .timeout, .badResponse].contains(code)
    }

    /// Runs a refresh while no other process of the account runs one.
    ///
    /// It polls the lease, with pauses of 5 ms at first and at most 160 ms. It ends at once if its task is cancelled.
    /// - Throws: ``/Errand/ServiceError``: ``/Errand/ServiceError/Code/timeout`` if another process holds the lease for
    ///   ``maximumWait``, and the errors of ``ValkeyClient/ping()`` if the server cannot be used. The error of the refresh.
    ///   `CancellationError` if the task is cancelled.
    public func exclusively(_ refresh: @Sendable () async throws -> Void) async throws {
        let owner = SystemRandom().uuid()
        let fence: String
        do {
            fence = try await acquire(owner)
        } catch {
            // The server may have granted the lease.
            _ = unlock(owner)
            throw error
        }
        state.withLock { $0.fence = fence }
        let result = await whileExtending(owner, refresh)
        state.withLock { state in
            if state.fence == fence { state.fence = nil }
        }
        await unlock(owner).value
        try result.get()
    }

    /// The task is unstructured because the lease must also end if the task of the refresh is cancelled. The client limits its time.
    private func unlock(_ owner: String) -> Task<Void, Never> {
        Task { [client, key] in _ = try? await Self.unlock.run(client, key: key, [owner]) }
    }
}

extension ValkeyTokenStore {
    private static let malformed = ServiceError(.badResponse, "the reply of the token script is malformed")
    private static var leaseText: String { "\(lease.wholeMicroseconds)" }

    /// Waits for the lease. Returns its fencing number.
    private func acquire(_ owner: String) async throws -> String {
        let end = time.now + Self.maximumWait
        var pause = Self.pauses.lowerBound
        while true {
            let reply = try await Self.lock.run(client, key: key, [owner, Self.leaseText])
            guard let parts = reply.array, parts.count == 2, let isGranted = parts[0].integer,
                let text = parts[1].string,
                let left = Int64(text)
            else { throw Self.malformed }
            if isGranted == 2 { try await time.sleep(until: time.now + Self.grace) }
            if isGranted > 0 { return text }
            guard time.now < end else {
                throw ServiceError(
                    .timeout, "another process has refreshed the token for \(Self.maximumWait.milliseconds) ms")
            }
            try await time.sleep(until: time.now + min(pause, .microseconds(left)))
            pause = min(pause * 2, Self.pauses.upperBound)
        }
    }

    /// Runs the refresh, and extends the lease meanwhile.
    private func whileExtending(
        _ owner: String, _ refresh: @Sendable () async throws -> Void
    ) async -> Result<Void, any Error> {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while (try? await self.time.sleep(until: self.time.now + Self.lease / 3)) != nil {
                    // If the lease has another owner, this process can only end its refresh. Its token is not stored.
                    _ = try? await Self.renew.run(self.client, key: self.key, [owner, Self.leaseText])
                }
            }
            defer { group.cancelAll() }
            do {
                try await refresh()
                return .success(())
            } catch {
                return .failure(error)
            }
        }
    }
}
