import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct OAuthAuthorizerTests {
    private let scene = AccountScene()
    private var clock: ManualClock { scene.clock }
    private var events: EventLog { scene.events }

    @Test func `a fresh token from the store is used without a refresh`() async throws {
        let account = scene.authorizer(MemoryTokenStore(.sample("a", life: 60))) { _ in
            throw ServiceError(.transport, "no")
        }
        let request = try scene.request { [clock] in $0.trail = Trail.Recorder(on: clock) }
        #expect(try await account.credentials(for: request).isSame(as: .bearer(Secret("a"), generation: 1)))
        #expect(try await account.credentials(for: request).note == "the token expires in 60 s")
    }

    @Test func `a cancelled caller leaves at once, and the refresh continues`() async throws {
        let store = MemoryTokenStore(.sample("a", life: 0))
        let (asked, gate) = (Gate(), Gate())
        let account = scene.authorizer(store) { last in
            #expect(last == .sample("a", life: 0) && !Task.isCancelled)
            asked.open()
            await gate.wait()
            #expect(!Task.isCancelled)
            return .sample("b")
        }
        let request = try scene.request()
        let first = Task { try await account.credentials(for: request) }
        await asked.wait()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        try await Soak.wait { store.load() == .sample("b") }
        #expect(try await account.credentials(for: request).isSame(as: .bearer(Secret("b"), generation: 1)))
    }

    @Test func `a caller that is already cancelled starts no refresh`() async throws {
        let account = scene.authorizer(MemoryTokenStore(.sample("a", life: 0))) { _ in
            Issue.record("unexpected refresh")
            return .sample("b")
        }
        let request = try scene.request()
        let call = Task {
            await waitUntilCancelled()
            return try await account.credentials(for: request)
        }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func `a call's deadline ends its wait but not the refresh`() async throws {
        let gate = Gate()
        let store = MemoryTokenStore(.sample("a", life: 0))
        let account = scene.authorizer(store) { _ in
            await gate.wait()
            return .sample("b")
        }
        let request = try scene.request { [clock] in $0.deadline = .after(.seconds(2), on: clock) }
        let call = Task { try await account.credentials(for: request) }
        try await clock.advance(by: .seconds(2), sleeping: 2)
        let error = await #expect(throws: ServiceError.self) { try await call.value }
        #expect(error?.code == .timeout)
        gate.open()
        try await Soak.wait { store.load() == .sample("b") }
    }

    @Test(arguments: ["invalid_grant", "bad_refresh_token"])
    func `a refused grant ends the session until the next sign-in`(name: String) async throws {
        let store = MemoryTokenStore(.sample("a", life: 0))
        let account = scene.authorizer(store) { _ in throw ServiceError.oauth(OAuthError.Code(name)) }
        let request = try scene.request()
        for _ in 1...3 {
            let error = await #expect(throws: ServiceError.self) { try await account.credentials(for: request) }
            #expect(error?.oauthError?.code.rawValue == name)
            #expect(events.all == ["ended"] && store.load() == nil)
        }
        try await account.signIn(.sample("c"))
        #expect(store.load() == .sample("c"))
        #expect(try await account.credentials(for: request).isSame(as: .bearer(Secret("c"), generation: 1)))
        #expect(try await account.signOut() == .sample("c") && store.load() == nil)
        let error = await #expect(throws: ServiceError.self) { try await account.credentials(for: request) }
        #expect(error?.reason == "not signed in: call signIn(_:) first" && events.all == ["ended"])
    }

    @Test func `a call without a token fails, and no session ends`() async throws {
        let client = OAuthClient(
            id: "a", tokenEndpoint: try #require(URL(string: "https://login.test/")), session: ScriptedSession([]))
        let account = OAuthAuthorizer(client) { [events] in events.add($0) }
        let error = await #expect(throws: ServiceError.self) { try await account.credentials(for: scene.request()) }
        #expect(error?.code == .authorization && events.all.isEmpty)
    }

    @Test func `a failed save is reported, and the token is used`() async throws {
        let account = scene.authorizer(BrokenStore(token: .sample("a", life: 0))) { _ in .sample("b") }
        #expect(try await account.credentials(for: scene.request()).isSame(as: .bearer(Secret("b"), generation: 1)))
        #expect(events.all == ["store"])
    }

    @Test func `a token that another process stores or removes is detected`() async throws {
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "token")
        try FileTokenStore(file).save(.sample("a"))
        let account = scene.authorizer(FileTokenStore(file)) { _ in
            throw ServiceError(.transport, "unexpected refresh")
        }
        let request = try scene.request()
        let first = try await account.credentials(for: request)
        try FileTokenStore(file).save(.sample("b"))
        let refusal = AuthorizationInterceptor.Refusal(
            ResponseHead(status: 401, url: try #require(request.url)), of: request)
        guard case .replay(let second) = try await account.react(to: refusal, of: first) else {
            Issue.record("expected a replay")
            return
        }
        #expect(second.isSame(as: .bearer(Secret("b"), generation: 2)))
        try FileTokenStore(file).save(nil)
        await #expect(throws: ServiceError.self) { try await account.react(to: refusal, of: second) }
        #expect(events.all == ["ended"])
    }

    @Test func `a token is refreshed early if it is used`() async throws {
        let store = MemoryTokenStore(.sample("a", life: 60))
        let account = scene.authorizer(store) { _ in .sample("b") }
        let request = try scene.request()
        _ = try await account.credentials(for: request)
        clock.advance(by: .seconds(31))
        #expect(try await account.credentials(for: request).isSame(as: .bearer(Secret("a"), generation: 1)))
        try await Soak.wait { store.load() == .sample("b") }
    }

    @Test func `cancelling a refused call does not cancel the refresh`() async throws {
        let (asked, gate) = (Gate(), Gate())
        let account = scene.authorizer(MemoryTokenStore(.sample("a"))) { _ in
            asked.open()
            await gate.wait()
            return .sample("b")
        }
        let request = try scene.request()
        let first = try await account.credentials(for: request)
        let refusal = AuthorizationInterceptor.Refusal(
            ResponseHead(status: 401, url: try #require(request.url)), of: request)
        let gone = Task { try await account.react(to: refusal, of: first) }
        await asked.wait()
        let other = Task { try await account.credentials(for: request) }
        gone.cancel()
        await #expect(throws: CancellationError.self) { try await gone.value }
        gate.open()
        #expect(try await other.value.isSame(as: .bearer(Secret("b"), generation: 2)))
    }

    @Test func `a token is stored even if its sign-in is cancelled`() async throws {
        let store = SlowStore()
        let account = scene.authorizer(store) { _ in throw ServiceError(.transport, "no") }
        let call = Task { try await account.signIn(.sample("a")) }
        await store.asked.wait()
        call.cancel()
        store.gate.open()
        try await call.value
        #expect(store.memory.load() == .sample("a"))
    }

    /// A store that waits before it saves, and does not save if it is cancelled.
    private struct SlowStore: TokenStore {
        let memory = MemoryTokenStore()
        let asked = Gate()
        let gate = Gate()
        func load() -> OAuthToken? { memory.load() }
        func save(_ token: OAuthToken?) async throws {
            asked.open()
            await gate.wait()
            try Task.checkCancellation()
            memory.save(token)
        }
    }

    /// A store that can be read but not written.
    private struct BrokenStore: TokenStore {
        let token: OAuthToken
        func load() -> OAuthToken? { token }
        func save(_ token: OAuthToken?) throws { throw ServiceError(.file, "full") }
    }
}
