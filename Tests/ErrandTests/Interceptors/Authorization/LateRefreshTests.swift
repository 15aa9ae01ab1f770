import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Refreshes that take longer than their callers wait.
@Suite(.timeLimit(.minutes(1))) struct LateRefreshTests {
    private let scene = AccountScene()

    @Test func `a token after the deadline is stored without another refresh`() async throws {
        let store = MemoryTokenStore(.sample("a", life: 0))
        let (asked, gate) = (Gate(), Gate())
        let calls = Locked(0)
        let account = scene.authorizer(store) { _ in
            calls.withLock { $0 += 1 }
            asked.open()
            await gate.wait()
            // A session discards the response of a cancelled task.
            try Task.checkCancellation()
            return .sample("b")
        }
        let call = Task { try await scene.access(account) }
        await asked.wait()
        try await scene.clock.advance(by: .seconds(30), sleeping: 1)
        let error = await #expect(throws: ServiceError.self) { try await call.value }
        #expect(error?.code == .timeout && error?.reason == "the refresh took longer than 30000.0 ms")
        // Long after the pause, the same refresh is still running, and a new caller fails at once.
        scene.clock.advance(by: .seconds(60))
        let other = await #expect(throws: ServiceError.self) { try await scene.access(account) }
        #expect(other?.code == .timeout && calls.withLock { $0 } == 1)
        gate.open()
        try await Soak.wait { store.load() == .sample("b") }
        #expect(try await scene.access(account) == "b")
        #expect(calls.withLock { $0 } == 1 && scene.events.all.isEmpty)
    }

    @Test func `a late refusal of the refresh token ends the session`() async throws {
        let store = MemoryTokenStore(.sample("a", life: 0))
        let gate = Gate()
        let account = scene.authorizer(store) { _ in
            await gate.wait()
            try Task.checkCancellation()
            throw ServiceError.oauth(.invalidGrant)
        }
        let call = Task { try await scene.access(account) }
        try await scene.clock.advance(by: .seconds(30), sleeping: 1)
        await #expect(throws: ServiceError.self) { try await call.value }
        gate.open()
        try await Soak.wait { scene.events.all == ["ended"] }
        #expect(store.load() == nil)
    }

    @Test func `a stalled refresh ends at the client timeout, then a pause follows`() async throws {
        let clock = scene.clock
        let reply = CannedReply.json(#"{"access_token":"b","token_type":"bearer"}"#)
        let session = ScriptedSession([reply.delayed(by: .seconds(3_600)), reply])
        let client = OAuthClient(
            id: "a", tokenEndpoint: try #require(URL(string: "https://login.test/")), timeout: .seconds(45),
            session: session)
        let account = OAuthAuthorizer(client, store: MemoryTokenStore(.sample("a", life: 0)))
        let call = Task { try await scene.access(account) }
        // The deadlines of the waiter, the client and the session, and the delay of the reply.
        try await clock.advance(by: .seconds(30), sleeping: 4)
        await #expect(throws: ServiceError.self) { try await call.value }
        clock.advance(by: .seconds(14))
        await #expect(throws: ServiceError.self) { try await scene.access(account) }
        #expect(session.recorded.count == 1)
        clock.advance(by: .seconds(1))
        // The end of the first refresh is not reported. A pause follows it.
        try await Soak.wait {
            clock.advance(by: .seconds(2))
            return (try? await scene.access(account)) == "b"
        }
        #expect(session.recorded.count == 2)
    }

    @Test(arguments: [true, false])
    func `a sign-in or sign-out cancels a running refresh`(signsIn: Bool) async throws {
        let folder = try ScratchFolder()
        let store = FileTokenStore(folder.url.appending(path: "token"))
        try store.save(.sample("a", life: 0))
        let asked = Gate()
        let isCancelled = Locked(false)
        let account = scene.authorizer(store) { _ in
            asked.open()
            await waitUntilCancelled()
            isCancelled.withLock { $0 = true }
            return .sample("b")
        }
        let call = Task { try await scene.access(account) }
        await asked.wait()
        // The refresh holds the file lock that both operations need.
        if signsIn { try await account.signIn(.sample("c")) } else { try await account.signOut() }
        #expect(try store.load() == (signsIn ? .sample("c") : nil))
        #expect(isCancelled.withLock { $0 } && scene.events.all.isEmpty)
        if signsIn {
            #expect(try await call.value == "c")
        } else {
            await #expect(throws: ServiceError.self) { try await call.value }
        }
    }
}
