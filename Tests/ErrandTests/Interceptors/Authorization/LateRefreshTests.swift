import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// A refresh that takes longer than anybody waits for it.
@Suite(.timeLimit(.minutes(1))) struct LateRefreshTests {
    private let scene = AccountScene()

    @Test func `what comes after the deadline is taken and stored, and nobody asks again meanwhile`() async throws {
        let store = MemoryTokenStore(.sample("a", life: 0))
        let gate = Gate()
        let calls = Locked(0)
        let account = scene.authorizer(store) { _ in
            calls.withLock { $0 += 1 }
            await gate.wait()
            // A session would throw away an answer that nobody waits for any more.
            try Task.checkCancellation()
            return .sample("b")
        }
        let call = Task { try await scene.access(account) }
        try await scene.clock.advance(by: .seconds(30), sleeping: 1)
        let error = await #expect(throws: ServiceError.self) { try await call.value }
        #expect(error?.code == .timeout && error?.reason == "the refresh took longer than 30000.0 ms")
        // Much later than the pause: there is still the same refresh, and who comes fails at once.
        scene.clock.advance(by: .seconds(60))
        let other = await #expect(throws: ServiceError.self) { try await scene.access(account) }
        #expect(other?.code == .timeout && calls.withLock { $0 } == 1)
        gate.open()
        try await Soak.wait { store.load() == .sample("b") }
        #expect(try await scene.access(account) == "b")
        #expect(calls.withLock { $0 } == 1 && scene.events.all.isEmpty)
    }

    @Test func `a session that ends late ends`() async throws {
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

    @Test func `a refresh that never answers ends at the client's own deadline, and the next one comes after a pause`()
        async throws
    {
        let clock = scene.clock
        let reply = CannedReply.json(#"{"access_token":"b","token_type":"bearer"}"#)
        let session = ScriptedSession([reply.delayed(by: .seconds(3_600)), reply])
        let client = OAuthClient(
            id: "a", tokenEndpoint: try #require(URL(string: "https://login.test/")), timeout: .seconds(45),
            session: session)
        let account = OAuthAuthorizer(client, store: MemoryTokenStore(.sample("a", life: 0)))
        let call = Task { try await scene.access(account) }
        // The wait's, the client's and the session's deadlines, and the reply's delay.
        try await clock.advance(by: .seconds(30), sleeping: 4)
        await #expect(throws: ServiceError.self) { try await call.value }
        clock.advance(by: .seconds(14))
        await #expect(throws: ServiceError.self) { try await scene.access(account) }
        #expect(session.recorded.count == 1)
        clock.advance(by: .seconds(1))
        // The end of the first is nothing that anybody is told of, and a pause follows it.
        try await Soak.wait {
            clock.advance(by: .seconds(2))
            return (try? await scene.access(account)) == "b"
        }
        #expect(session.recorded.count == 2)
    }

    @Test(arguments: [true, false])
    func `a sign-in or sign-out does not wait for a refresh of the past`(signsIn: Bool) async throws {
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
        // The refresh has the file's lock, which both of them need.
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
