import Errand
import ErrandLoopback
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// A thousand concurrent calls over real connections, with refreshes that succeed, fail, stall or respond late.
@Suite(.timeLimit(.minutes(3)), .serialized) struct AuthorizationIntegrationTests {
    private static let calls = 1_000

    @Test(arguments: [false, true])
    func `a thousand calls with an expired token refresh it once`(isRefused: Bool) async throws {
        try await withScene(life: isRefused ? nil : -1) { scene in
            let outcome = await scene.run(Self.calls)
            #expect(outcome.successes == Self.calls && outcome.failures.isEmpty)
            let counts = scene.server.counts
            #expect(counts.refreshes == 1 && counts.refusals <= Self.calls)
            #expect(counts.calls == Self.calls + counts.refusals, "each call is replayed at most once")
            #expect(isRefused == (counts.refusals > 0) && scene.events.all.isEmpty)
        }
    }

    @Test func `a rotated token survives when half of the callers are cancelled`() async throws {
        let seed = UInt64.random(in: 0 ..< .max)
        for round in 0..<TestEnvironment.rounds(2, heavy: 10) {
            try await withScene(life: nil) { scene in
                let outcome = await scene.run(Self.calls, cancelling: SplitMix(state: seed &+ UInt64(round)))
                #expect(outcome.failures.isEmpty, "seed \(seed)")
                #expect(outcome.successes + outcome.cancelled == Self.calls)
                try await Soak.wait { scene.store.load()?.access.reveal() == scene.server.access }
                #expect(scene.server.counts.refreshes == 1 && scene.events.all.isEmpty)
                // A new authorizer with this store continues with the rotated token.
                let heir = scene.session(OAuthAuthorizer(scene.client, store: scene.store))
                #expect(try await heir.send(scene.request()).head.status == 200)
                scene.server.expire()
                #expect(try await heir.send(scene.request()).head.status == 200, "seed \(seed)")
                #expect(scene.store.load()?.refresh?.reveal() == scene.server.refresh)
            }
        }
    }

    @Test func `a failed refresh fails its waiters, and the next call refreshes`() async throws {
        try await withScene(life: -1) { scene in
            scene.server.behave(.failing)
            let outcome = await scene.run(Self.calls)
            #expect(outcome.failures == [.authorization: Self.calls] && scene.server.counts.refreshes == 1)
            scene.server.behave(.honest)
            scene.clock.advance(by: .seconds(1))
            let status = try await scene.account.send(scene.request()).head.status
            #expect(status == 200)
            #expect(scene.events.all.isEmpty)
        }
    }

    @Test func `waiters of a stalled refresh time out before the refresh does`() async throws {
        try await withScene(life: -1, timeout: .seconds(45)) { scene in
            scene.server.behave(.stalling)
            let outcome = try await outlasting(scene)
            #expect(outcome.failures == [.timeout: Self.calls] && scene.server.counts.refreshes == 1)
            scene.server.behave(.honest)
            try await Soak.wait {
                scene.clock.advance(by: .seconds(1))
                return (try? await scene.account.send(scene.request()).head.status) == 200
            }
            #expect(scene.server.counts.refreshes == 2)
        }
    }

    @Test func `a rotated token is kept when its response is late`() async throws {
        try await withScene(life: -1) { scene in
            let gate = Gate()
            scene.server.behave(.late(gate))
            let outcome = try await outlasting(scene)
            #expect(outcome.failures == [.timeout: Self.calls] && scene.server.counts.refreshes == 1)
            scene.clock.advance(by: .seconds(60))
            let error = await #expect(throws: ServiceError.self) { try await scene.account.send(scene.request()) }
            #expect(error?.code == .timeout, "the first refresh is still running")
            gate.open()
            try await Soak.wait { scene.store.load()?.refresh?.reveal() == scene.server.refresh }
            let status = try await scene.account.send(scene.request()).head.status
            #expect(status == 200 && scene.server.counts.refreshes == 1 && scene.events.all.isEmpty)
        }
    }

    /// Sends a thousand calls that time out before their refresh ends.
    private func outlasting(_ scene: AuthorizationScene) async throws -> AuthorizationScene.Outcome {
        let clock = Task {
            try await Soak.wait { scene.server.counts.refreshes == 1 }
            try await scene.clock.advance(by: .seconds(30), sleeping: 1)
        }
        let outcome = await scene.run(Self.calls)
        try await clock.value
        return outcome
    }

    @Test func `a refusal after the refresh is replayed without a second refresh`() async throws {
        let server = TokenServer()
        let (arrived, gate) = (Gate(), Gate())
        let reply: @Sendable (LoopbackRequest) -> LoopbackReply = { request in
            guard request.path == "/late" else { return server.reply(to: request) }
            arrived.open()
            return .later {
                await gate.wait()
                return server.reply(to: request)
            }
        }
        try await LoopbackServer.withServer(reply) { loopback in
            let scene = try AuthorizationScene(server, at: loopback.url, life: nil)
            let late = Task { try await scene.account.send(scene.request("late")).head.status }
            await arrived.wait()
            // The late request was sent with the old token. Its response comes after the refresh.
            let status = try await scene.account.send(scene.request()).head.status
            #expect(status == 200 && server.counts.refreshes == 1 && server.counts.refusals == 1)
            gate.open()
            #expect(try await late.value == 200)
            let counts = server.counts
            #expect(counts.refreshes == 1 && counts.refusals == 2 && counts.calls == 4 && scene.events.all.isEmpty)
        }
    }

    @Test func `a refused refresh ends the session with one event`() async throws {
        try await withScene(life: nil) { scene in
            scene.server.behave(.refusing)
            let outcome = await scene.run(Self.calls)
            #expect(outcome.failures == [.authorization: Self.calls])
            #expect(scene.server.counts.refreshes == 1 && scene.events.all == ["ended"] && scene.store.load() == nil)
            let before = scene.server.counts.calls
            await #expect(throws: ServiceError.self) { try await scene.account.send(scene.request()) }
            #expect(scene.server.counts.calls == before, "the call fails without a request")
        }
    }

    private func withScene(
        life: Double?, timeout: Duration = .seconds(3_600), _ body: (AuthorizationScene) async throws -> Void
    ) async throws {
        let server = TokenServer()
        try await LoopbackServer.withServer({ server.reply(to: $0) }) { loopback in
            try await body(try AuthorizationScene(server, at: loopback.url, life: life, timeout: timeout))
        }
    }
}
