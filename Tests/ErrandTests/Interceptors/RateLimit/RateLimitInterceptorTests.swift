import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RateLimitInterceptorTests {
    private let clock = InstantClock()

    private func interceptor(
        maximumHosts: Int = 1_000, _ change: (inout RateLimitInterceptor.Policy) -> Void = { _ in }
    ) -> RateLimitInterceptor {
        var policy = RateLimitInterceptor.Policy()
        change(&policy)
        return RateLimitInterceptor(policy, maximumHosts: maximumHosts)
    }

    private func request(
        _ text: String = "http://api.test/a", _ configure: (inout RequestOptions) -> Void = { _ in }
    ) throws -> APIRequest {
        try .timed(text, on: clock, configure)
    }

    private static func left(_ remaining: Int, _ reset: Int) -> CannedReply {
        .status(200).header("X-RateLimit-Remaining", "\(remaining)").header("X-RateLimit-Reset", "\(reset)")
    }

    @Test func `a request to an exhausted host waits until the reset`() async throws {
        let script = ScriptedSession([Self.left(0, 1_000_000_030), .text("x")])
        let session = script.intercepted(by: interceptor())
        _ = try await session.send(request())
        let second = try request()
        #expect(try await session.send(second).head.status == 200)
        #expect(clock.waits == [.seconds(30)])
        #expect(
            second.options.trail?.trail.events.map(\.message) == ["waited 30000.0 ms: the server's limit is reached"])
        try script.verify()
    }

    @Test(arguments: [
        left(0, 1_000_003_600), .status(429).header("Retry-After", "3600"), .status(503).header("Retry-After", "3600"),
        .status(200).header("RateLimit", #""hour";r=0;t=3600"#),
    ])
    func `a wait that is too long is an error with its duration`(reply: CannedReply) async throws {
        let script = ScriptedSession([reply])
        let session = script.intercepted(by: interceptor())
        _ = try await session.send(request())
        clock.advance(by: .seconds(600))
        let second = try request()
        let error = await #expect(throws: ServiceError.self) { try await session.send(second) }
        #expect(error?.code == .rateLimited && error?.retryAfter == .seconds(3_000))
        #expect(error?.errorDescription == "Too many requests. Try again later.")
        #expect(
            second.options.trail?.trail.events.map(\.message)
                == ["refused: a wait of 3000000.0 ms would be too long: the server's limit is reached"])
        #expect(script.recorded.count == 1 && clock.waits.isEmpty)
    }

    @Test(arguments: [(31, true), (30, false)])
    func `a request waits only if its deadline allows it`(seconds: Int, waits: Bool) async throws {
        let script = ScriptedSession([.status(429).header("Retry-After", "30"), .text("x")])
        let session = script.intercepted(by: interceptor())
        _ = try await session.send(request())
        let second = try request { [clock] in $0.deadline = .after(.seconds(seconds), on: clock) }
        let error = await Self.error { _ = try await session.send(second) }
        // With an instant clock, the deadline can end before the wait.
        #expect(waits ? error == nil || error?.code == .timeout : error?.code == .rateLimited)
        #expect(waits || clock.waits.isEmpty)
    }

    private static func error(_ body: () async throws -> Void) async -> ServiceError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? ServiceError
        }
    }

    @Test func `a limit of one host does not delay other hosts`() async throws {
        let script = ScriptedSession { _ in Self.left(0, 1_000_003_600) }
        let session = script.intercepted(by: interceptor())
        for host in ["a", "b", "c"] { _ = try await session.send(request("http://\(host).test/")) }
        #expect(await Self.error { _ = try await session.send(request("http://a.test/")) }?.code == .rateLimited)
        #expect(script.recorded.count == 3)
    }

    @Test func `a limit of a redirect target applies only to its host`() async throws {
        struct Elsewhere: APISession {
            let url: URL
            func send(_ request: APIRequest) async throws -> APIResponse {
                APIResponse(head: ResponseHead(status: 429, headers: ["Retry-After": "9"], url: url))
            }
        }
        let interceptor = interceptor { $0.concurrency = 1 }
        let url = try #require(URL(string: "http://cdn.test/"))
        _ = try await interceptor.intercept(request(), next: Elsewhere(url: url))
        _ = try await interceptor.intercept(request(), next: Elsewhere(url: url))
        #expect(clock.waits.isEmpty && interceptor.hosts == 1)
        _ = try await interceptor.intercept(request("http://cdn.test/"), next: Elsewhere(url: url))
        #expect(clock.waits == [.seconds(9)])
    }

    @Test func `server limits are ignored if the policy says so`() async throws {
        let script = ScriptedSession { _ in .status(429).header("Retry-After", "9") }
        let interceptor = interceptor { $0.obeysServer = false }
        let session = script.intercepted(by: interceptor)
        for _ in 1...3 { _ = try await session.send(request()) }
        #expect(clock.waits.isEmpty && interceptor.hosts == 0)
    }

    @Test func `the response of an error sets a limit, too`() async throws {
        var error = ServiceError(.bodyTooLarge, "x")
        error.response = ResponseHead(
            status: 429, headers: ["Retry-After": "9"], url: try #require(URL(string: "http://api.test/")))
        let session = ScriptedSession([.failure(error), .text("x")]).intercepted(by: interceptor())
        _ = try? await session.send(request())
        _ = try await session.send(request())
        #expect(clock.waits == [.seconds(9)])
    }

    @Test func `a response below retry causes only one wait`() async throws {
        let script = ScriptedSession([.status(503).header("Retry-After", "7"), .text("x")])
        let session = script.intercepted(
            by: RetryInterceptor(), interceptor())
        #expect(try await session.send(request()).head.status == 200)
        #expect(clock.waits == [.seconds(7)])
    }

    @Test func `requests are sent at the configured rate`() async throws {
        let script = ScriptedSession { _ in .text("x") }
        let session = script.intercepted(by: interceptor { $0.rate = .init(2, per: .seconds(1), burst: 3) })
        for _ in 1...5 { _ = try await session.send(request()) }
        #expect(clock.waits == [.milliseconds(500), .milliseconds(500)])
    }

    @Test func `the number of hosts is limited, busy hosts are kept`() async throws {
        let gate = Gate()
        let script = ScriptedSession { request in
            if request.path == "/hang" { await gate.wait() }
            return .text("x")
        }
        let interceptor = interceptor(maximumHosts: 5) {
            $0.concurrency = 1
            $0.rate = .init(1, per: .seconds(60), burst: 2)
        }
        let session = script.intercepted(by: interceptor)
        let hanging = try (1...8).map { try request("http://busy\($0).test/hang") }
        let calls = hanging.map { request in Task { try await session.send(request) } }
        try await Soak.wait { script.recorded.count == 8 }
        let waiting = try request("http://busy1.test/")
        let waiter = Task { try await session.send(waiting) }
        try await Soak.wait { interceptor.waiting(for: waiting.url) == 1 }
        for index in 1...50 { _ = try await session.send(request("http://h\(index).test/")) }
        #expect((8...9).contains(interceptor.hosts))
        gate.open()
        for call in calls { _ = try await call.value }
        #expect(try await waiter.value.head.status == 200)
        #expect(interceptor.hosts <= 5)
    }

    @Test func `a host without a limit uses no memory`() async throws {
        let interceptor = interceptor { $0.concurrency = 2 }
        let session = ScriptedSession { _ in .text("x") }.intercepted(by: interceptor)
        for index in 1...50 { _ = try await session.send(request("http://h\(index).test/")) }
        #expect(interceptor.hosts == 0)
    }

    @Test(arguments: [(Double.nan, 0.5), (-.infinity, 0), (.infinity, 1), (-0.1, 0), (7, 1), (0.3, 0.3)])
    func `a priority is clamped to the range 0 to 1`(priority: Double, urgency: Double) {
        var options = RequestOptions()
        options.priority = priority
        #expect(options.urgency == urgency)
    }
}
