import Errand
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

/// Tests pauses and quotas while the store of the shared limit fails.
@Suite(.timeLimit(.minutes(1))) struct SharedLimitOutageTests {
    private let clock = ManualClock()
    private let store: BreakableLimitStore

    init() { store = BreakableLimitStore(clock) }

    private func session(
        over script: ScriptedSession, _ change: (inout SharedRateLimitInterceptor.Policy) -> Void
    ) -> any APISession {
        var policy = SharedRateLimitInterceptor.Policy(rate: .init(1))
        // Real time, which a busy machine may need.
        policy.storeTimeout = .seconds(60)
        policy.name = "a"
        change(&policy)
        return script.intercepted(by: SharedRateLimitInterceptor(policy, in: store))
    }

    private func send(_ session: any APISession) async throws -> Int {
        try await session.send(.timed(on: clock)).head.status
    }

    private static func left(_ remaining: Int, _ reset: Int) -> CannedReply {
        .status(200).header("X-RateLimit-Remaining", "\(remaining)").header("X-RateLimit-Reset", "\(reset)")
    }

    @Test func `the pause of a store begins when its call has failed`() async throws {
        let slow = BreakableLimitStore(clock) { [clock] in clock.advance(by: .milliseconds(800)) }
        slow.isBroken.withLock { $0 = true }
        var policy = SharedRateLimitInterceptor.Policy(rate: .init(1))
        (policy.failureMode, policy.storeTimeout) = (.open, .seconds(60))
        let script = ScriptedSession { _ in .text("x") }
        let session = script.intercepted(by: SharedRateLimitInterceptor(policy, in: slow))
        for calls in [1, 1, 2] {
            #expect(try await send(session) == 200)
            #expect(slow.calls.withLock { $0 } == calls)
            clock.advance(by: .milliseconds(600))
        }
    }

    /// Grants each request at once. Its observations never end.
    private struct HangingStore: LimitStore {
        let observations = AsyncStream<Void>.makeStream()

        func take(_ key: String, _ demand: LimitDemand) -> LimitDecision { MemoryLimitStore().take(key, demand) }
        func update(_ grant: LimitGrant, of key: String) -> LimitGrant { grant }

        func observe(_ key: String, _ observation: LimitObservation) async {
            observations.continuation.yield()
            await waitUntilCancelled()
        }
    }

    @Test(arguments: [(200, 100), (1_200, 500), (-1, 0)])
    func `a call to the store has half of the remaining time`(remaining: Int, expected: Int) {
        let policy = SharedRateLimitInterceptor.Policy(rate: .init(1))
        let timeout = policy.storeTimeout(before: .after(.milliseconds(remaining), on: clock))
        #expect(timeout == .milliseconds(expected))
        #expect(policy.storeTimeout(before: nil) == .milliseconds(500))
        #expect(policy.shortStoreTimeout == .milliseconds(50))
    }

    @Test func `a cancelled request does not wait for a store that hangs`() async throws {
        let (store, script) = (HangingStore(), ScriptedSession { _ in Self.left(1, 30) })
        var policy = SharedRateLimitInterceptor.Policy(rate: .init(1))
        policy.storeTimeout = .seconds(3_600)
        let session = script.intercepted(by: SharedRateLimitInterceptor(policy, in: store))
        let call = Task { try await send(session) }
        for await _ in store.observations.stream.prefix(1) {}
        call.cancel()
        _ = await call.result
    }

    @Test func `a quota that reservations use up while the store fails is stored later`() async throws {
        let gate = Gate()
        let count = Locked(0)
        let server = ScriptedSession { _ in
            let number = count.withLock { number in
                number += 1
                return number
            }
            guard number == 2 else { return Self.left(1, 30) }
            await gate.wait()
            return Self.left(0, 30)
        }
        let session = session(over: server) { $0.failureMode = .open }
        store.isBroken.withLock { $0 = true }
        #expect(try await send(session) == 200)
        // The second request uses the quota. The third one waits for its reset.
        async let second = send(session)
        try await Soak.wait { server.recorded.count == 2 }
        async let third = send(session)
        try await clock.waitForSleepers()
        gate.open()
        #expect(try await second == 200)
        store.isBroken.withLock { $0 = false }
        clock.advance(by: .seconds(2))
        async let fourth = send(session)
        try await clock.waitForSleepers(2)
        let demand = LimitDemand(.init(1_000, burst: 1_000), maximumWait: .seconds(60))
        guard case .granted(let grant) = store.memory.take("a", demand) else {
            Issue.record("a reservation was refused")
            return
        }
        #expect(grant.wait >= .seconds(28))
        clock.advance(by: .seconds(60))
        #expect(try await third == 200)
        #expect(try await fourth == 200)
    }

    @Test func `after a pause without the store, a share that is too far away fails at once`() async throws {
        let server = ScriptedSession { _ in .status(429).header("Retry-After", "30") }
        let session = session(over: server) { $0.workers = 16 }
        // Another process has received a pause of ten seconds.
        store.memory.observe("a", LimitObservation(pause: .seconds(10)))
        let (endings, ending) = AsyncStream<Void>.makeStream()
        var waiting: [Task<Int, any Error>] = []
        for count in 1...2 {
            waiting.append(
                Task {
                    defer { ending.yield() }
                    return try await send(session)
                })
            try await clock.waitForSleepers(count)
        }
        store.isBroken.withLock { $0 = true }
        // This process receives a pause of thirty seconds with the first request of its share.
        #expect(try await send(session) == 429)
        clock.advance(by: .seconds(12))
        try await clock.waitForSleepers(1)
        var refusals = 0
        // The other one fails at once, before the clock moves on.
        for await _ in endings.prefix(1) {}
        #expect(server.recorded.count == 1)
        clock.advance(by: .seconds(120))
        for task in waiting {
            do { _ = try await task.value } catch let error as ServiceError where error.code == .rateLimited {
                refusals += 1
                #expect(error.reason.contains("after 12000.0 ms"))
            }
        }
        #expect(refusals == 1)
    }
}
