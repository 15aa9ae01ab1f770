import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SharedRateLimitInterceptorTests {
    private let clock = InstantClock()

    private func policy(_ change: (inout SharedRateLimitInterceptor.Policy) -> Void = { _ in })
        -> SharedRateLimitInterceptor.Policy
    {
        var policy = SharedRateLimitInterceptor.Policy(rate: .init(1))
        // Real time, which a busy machine may need.
        policy.storeTimeout = .seconds(60)
        change(&policy)
        return policy
    }

    private func request(
        _ text: String = "http://api.test/a", _ configure: (inout RequestOptions) -> Void = { _ in }
    ) throws -> APIRequest {
        try .timed(text, on: clock, configure)
    }

    @Test func `two sessions share the rate of a store`() async throws {
        let (script, store) = (ScriptedSession { _ in .text("x") }, MemoryLimitStore(time: clock))
        let first = script.intercepted(by: SharedRateLimitInterceptor(policy(), in: store))
        let second = script.intercepted(by: SharedRateLimitInterceptor(policy(), in: store))
        _ = try await first.send(request())
        let last = try request()
        _ = try await second.send(last)
        #expect(clock.waits == [.seconds(1)])
        #expect(last.options.trail?.trail.events.map(\.message) == ["waited 1000.0 ms for the shared limit"])
    }

    @Test func `identities have separate limits, unless the policy names one`() async throws {
        for name in [nil, "account"] {
            let clock = InstantClock()
            let script = ScriptedSession { _ in .text("x") }
            let interceptor = SharedRateLimitInterceptor(policy { $0.name = name }, in: MemoryLimitStore(time: clock))
            let session = script.intercepted(by: interceptor)
            for identity in ["a", "b"] {
                _ = try await session.send(
                    request {
                        $0.identity = Credentials.Identity(identity)
                        $0.time = clock
                    })
            }
            #expect(clock.waits.count == (name == nil ? 0 : 1))
        }
    }

    /// A store that notes the names of the limits.
    private final class NamesStore: LimitStore {
        let names = Locked<[String]>([])

        func take(_ key: String, _ demand: LimitDemand) -> LimitDecision {
            names.withLock { $0.append(key) }
            return .granted(LimitGrant(wait: .zero))
        }
        func update(_ grant: LimitGrant, of key: String) -> LimitGrant { grant }
        func observe(_ key: String, _ observation: LimitObservation) {}
    }

    @Test func `the name of a limit depends on the origin and the identity only`() async throws {
        let store = NamesStore()
        let session = ScriptedSession { _ in .text("x") }.intercepted(
            by: SharedRateLimitInterceptor(policy(), in: store))
        for url in ["http://api.test/a", "http://API.test:80/b?c"] {
            _ = try await session.send(request(url) { $0.identity = Credentials.Identity("account") })
        }
        // The programs of two versions must agree, so this name must not change.
        let name = SHA256.hash(Data("http://api.test:80 account".utf8)).prefix(16).hexadecimal
        #expect(store.names.withLock { $0 } == [name, name])
    }

    private struct UnknownAccount: Authorizer {
        let identity: Credentials.Identity? = nil

        func credentials(for request: APIRequest) -> Credentials { .bearer(Secret("t")) }
    }

    @Test func `requests of unknown accounts share the limit of their origin`() async throws {
        let api = try #require(URL(string: "http://api.test"))
        let session: StandardSession = .standard(
            authorization: AuthorizationInterceptor(UnknownAccount(), at: api),
            rateLimit: SharedRateLimitInterceptor(policy(), in: MemoryLimitStore(time: clock)),
            over: ScriptedSession { _ in .text("x") })
        for _ in 0..<2 { _ = try await session.send(request()) }
        #expect(clock.waits == [.seconds(1)])
    }

    /// A token of an account that all processes know.
    private struct AccountTokens: TokenStore {
        let identity: Credentials.Identity?

        func load() -> OAuthToken? { OAuthToken(access: Secret("t")) }
        func save(_ token: OAuthToken?) {}
    }

    @Test(arguments: ["reports", nil])
    func `processes share a limit if their token store has an identity`(account: String?) async throws {
        let store = MemoryLimitStore(time: clock)
        let tokens = AccountTokens(identity: account.map { Credentials.Identity($0) })
        let api = try #require(URL(string: "http://api.test"))
        for _ in 0..<2 {
            let authorizer = OAuthAuthorizer(store: tokens) { _, _ in throw CancellationError() }
            try await authorizer.signIn(OAuthToken(access: Secret("t")))
            let session: StandardSession = .standard(
                authorization: AuthorizationInterceptor(authorizer, at: api),
                rateLimit: SharedRateLimitInterceptor(policy(), in: store), over: ScriptedSession([.text("x")]))
            _ = try await session.send(request())
        }
        #expect(clock.waits == (account == nil ? [] : [.seconds(1)]))
    }

    @Test func `a pause that one session learns delays the others`() async throws {
        let store = MemoryLimitStore(time: clock)
        let refused = ScriptedSession([.status(429).header("Retry-After", "30")])
        _ = try await refused.intercepted(by: SharedRateLimitInterceptor(policy(), in: store)).send(request())
        let other = ScriptedSession([.text("x")]).intercepted(by: SharedRateLimitInterceptor(policy(), in: store))
        _ = try await other.send(request())
        // The limit's own second comes after the pause.
        #expect(clock.waits == [.seconds(31)])
    }

    @Test func `a request that would wait too long is not sent`() async throws {
        let script = ScriptedSession([.text("x")])
        let interceptor = SharedRateLimitInterceptor(
            policy { $0.maximumWait = .milliseconds(500) }, in: MemoryLimitStore(time: clock))
        let session = script.intercepted(by: interceptor)
        _ = try await session.send(request())
        let error = await #expect(throws: ServiceError.self) { try await session.send(try request()) }
        #expect(error?.code == .rateLimited && error?.retryAfter == .seconds(1))
        #expect(script.recorded.count == 1 && clock.waits.isEmpty)
    }

    @Test func `a store that fails is replaced by the share of the process`() async throws {
        let (script, store) = (ScriptedSession { _ in .text("x") }, BreakableLimitStore(clock))
        store.isBroken.withLock { $0 = true }
        let session = script.intercepted(by: SharedRateLimitInterceptor(policy { $0.workers = 4 }, in: store))
        let first = try request()
        _ = try await session.send(first)
        _ = try await session.send(request())
        #expect(clock.waits == [.seconds(4)])
        let note =
            "the store of the shared limit failed (the server refused the connection): the share of this process applies"
        #expect(first.options.trail?.trail.events.map(\.message) == [note])
        store.isBroken.withLock { $0 = false }
        clock.advance(by: .seconds(1))
        let calls = store.calls.withLock { $0 }
        _ = try await session.send(request())
        #expect(clock.waits == [.seconds(4)] && store.calls.withLock { $0 } == calls + 1)
    }

    @Test func `a failed store is not called again for one second`() async throws {
        let (script, store) = (ScriptedSession { _ in .text("x") }, BreakableLimitStore(clock))
        store.isBroken.withLock { $0 = true }
        let session = script.intercepted(by: SharedRateLimitInterceptor(policy { $0.failureMode = .open }, in: store))
        for _ in 0..<10 { _ = try await session.send(request()) }
        #expect(store.calls.withLock { $0 } == 1 && clock.waits.isEmpty)
        clock.advance(by: .seconds(1))
        _ = try await session.send(request())
        #expect(store.calls.withLock { $0 } == 2)
    }

    @Test func `a pause that comes while the store fails is stored later`() async throws {
        let store = BreakableLimitStore(clock)
        let script = ScriptedSession([.status(429).header("Retry-After", "30"), .text("x")])
        let session = script.intercepted(by: SharedRateLimitInterceptor(policy(), in: store))
        store.isBroken.withLock { $0 = true }
        _ = try await session.send(request())
        store.isBroken.withLock { $0 = false }
        clock.advance(by: .seconds(1))
        _ = try await session.send(request())
        #expect(clock.waits == [.seconds(29)])
    }

    @Test func `a pause delays a request that is already waiting`() async throws {
        let clock = ManualClock()
        let (script, store) = (ScriptedSession { _ in .text("x") }, MemoryLimitStore(time: clock))
        let session = script.intercepted(by: SharedRateLimitInterceptor(policy { $0.name = "a" }, in: store))
        func send() async throws { _ = try await session.send(try request { $0.time = clock }) }
        try await send()
        async let second: Void = send()
        try await clock.waitForSleepers()
        store.observe("a", LimitObservation(pause: .seconds(30)))
        try await clock.advance(to: .seconds(1))
        try await clock.waitForSleepers()
        #expect(script.recorded.count == 1)
        try await clock.advance(to: .seconds(31))
        try await second
        #expect(script.recorded.count == 2)
    }

    /// Never returns a decision.
    private struct HangingStore: LimitStore {
        func take(_ key: String, _ demand: LimitDemand) async throws -> LimitDecision {
            await waitUntilCancelled()
            throw CancellationError()
        }

        func update(_ grant: LimitGrant, of key: String) async throws -> LimitGrant { grant }
        func observe(_ key: String, _ observation: LimitObservation) async throws {}
    }

    @Test func `a store that does not respond is replaced`() async throws {
        let script = ScriptedSession { _ in .text("x") }
        let session = script.intercepted(
            by: SharedRateLimitInterceptor(
                policy { $0.storeTimeout = .milliseconds(1) }, in: HangingStore()))
        let call = try request()
        #expect(try await session.send(call).head.status == 200)
        #expect(call.options.trail?.trail.events.first?.message.hasSuffix("the share of this process applies") == true)
    }

    @Test func `cancelling a request cancels its call of the store`() async throws {
        let script = ScriptedSession { _ in .text("x") }
        let session = script.intercepted(by: SharedRateLimitInterceptor(policy(), in: HangingStore()))
        let request = try request()
        let call = Task { try await session.send(request) }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(script.recorded.isEmpty)
    }

    @Test func `requests fail in closed mode while the store fails`() async throws {
        let (script, store) = (ScriptedSession { _ in .text("x") }, BreakableLimitStore(clock))
        store.isBroken.withLock { $0 = true }
        let session = script.intercepted(by: SharedRateLimitInterceptor(policy { $0.failureMode = .closed }, in: store))
        let error = await #expect(throws: ServiceError.self) { try await session.send(try request()) }
        #expect(error?.code == .rateLimited && error?.retryAfter == nil && script.recorded.isEmpty)
    }

    @Test(arguments: [(8, 50, 1, 8_000), (1, 50, 10, 1_000), (1_000_000, 1, 1, 86_400_000)])
    func `the share of a process is the rate divided by the workers`(
        workers: Int, requests: Int, burst: Int, milliseconds: Int
    ) {
        let share = policy {
            $0.rate = .init(requests, burst: burst)
            $0.workers = workers
        }.share
        #expect(share.interval == .milliseconds(milliseconds) && share.burst == max(1, burst / workers))
    }
}
