import Errand
import ErrandSupport
import ErrandTesting
import Testing

/// An authorizer with a store on a server that is lost.
@Suite(.timeLimit(.minutes(1))) struct LostStoreTests {
    private let scene = AccountScene()

    /// A store on a server that can be lost.
    private final class RemoteStore: TokenStore {
        let isLost = Locked(false)
        let memory = MemoryTokenStore(.sample("a", life: 0))
        /// Whether only the lock works while the server is lost.
        let hasLock: Bool
        let refreshesWithoutLock = false

        init(hasLock: Bool) { self.hasLock = hasLock }

        private func check() throws {
            guard !isLost.withLock({ $0 }) else { throw ServiceError(.connection, "refused") }
        }

        func load() throws -> OAuthToken? {
            try check()
            return memory.load()
        }

        func save(_ token: OAuthToken?) throws {
            try check()
            memory.save(token)
        }

        func exclusively(_ refresh: @Sendable () async throws -> Void) async throws {
            if !hasLock { try check() }
            try await refresh()
        }
    }

    @Test(arguments: [true, false])
    func `a token is not refreshed without a store that forbids it`(hasLock: Bool) async throws {
        let store = RemoteStore(hasLock: hasLock)
        let renewals = Locked(0)
        let account = scene.authorizer(store) { _ in
            renewals.withLock { $0 += 1 }
            return .sample("b", life: 60)
        }
        #expect(try await scene.access(account) == "b")
        scene.clock.advance(by: .seconds(61))
        store.isLost.withLock { $0 = true }
        let error = await #expect(throws: ServiceError.self) { try await scene.access(account) }
        #expect(error?.code == .connection && renewals.withLock { $0 } == 1)
        store.isLost.withLock { $0 = false }
        scene.clock.advance(by: .seconds(2))
        _ = try await scene.access(account)
        #expect(renewals.withLock { $0 } == 2 && !scene.events.all.contains("ended"))
    }
}
