import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CircuitBreakerInterceptorTests {
    private let clock = InstantClock()

    private func interceptor(failures: Int = 2, maximumHosts: Int = 1_000) -> CircuitBreakerInterceptor {
        var policy = CircuitBreakerInterceptor.Policy()
        policy.failures = failures
        return CircuitBreakerInterceptor(policy, maximumHosts: maximumHosts)
    }

    private func request(_ text: String = "http://api.test/a") throws -> APIRequest {
        var request = APIRequest(head: URLRequest(url: try #require(URL(string: text))), body: .none)
        request.options.time = clock
        request.options.trail = Trail.Recorder(on: clock)
        return request
    }

    private static func failure(_ code: ServiceError.Code) -> CannedReply { .failure(ServiceError(code, "x")) }

    @Test func `requests to a failing host are refused until a probe succeeds`() async throws {
        let script = ScriptedSession([.status(503), Self.failure(.connection), .text("x")])
        let session = script.intercepted(by: interceptor())
        let (second, third, fourth) = (try request(), try request(), try request())
        #expect(try await session.send(request()).head.status == 503)
        _ = try? await session.send(second)
        clock.advance(by: .seconds(10))
        let error = await #expect(throws: ServiceError.self) { try await session.send(third) }
        #expect(error?.code == .circuitOpen && error?.retryAfter == .seconds(20) && script.recorded.count == 2)
        #expect(error?.reason.contains("20000.0 ms") == true)
        clock.advance(by: .seconds(20))
        #expect(try await session.send(fourth).head.status == 200)
        let messages = [second, third, fourth].map { $0.options.trail?.trail.events.map(\.message) }
        #expect(
            messages == [
                ["open for 30000.0 ms, after 2 failures in a row"],
                ["refused: the circuit is open for another 20000.0 ms"],
                ["half-open: this request is the probe", "closed: the probe succeeded"],
            ])
        try script.verify()
    }

    @Test(arguments: [
        (CannedReply.status(500), false), (.status(502), true), (.status(503), true), (.status(504), true),
        (failure(.connection), true), (failure(.connectionLost), true), (failure(.timeout), true),
        (failure(.tls), true), (.failure(URLError(.timedOut)), true), (.status(200), false), (.status(404), false),
        (.status(429), false), (.status(501), false), (failure(.certificateExpired), false),
        (failure(.encoding), false), (.failure(CancellationError()), false), (failure(.rateLimited), false),
    ])
    func `only an unavailable server counts as a failure`(reply: CannedReply, opens: Bool) async throws {
        let session = ScriptedSession([reply, reply, .text("x")]).intercepted(by: interceptor())
        for _ in 1...2 { _ = try? await session.send(request()) }
        let isOpen = await Self.code { _ = try await session.send(request()) } == .circuitOpen
        #expect(isOpen == opens)
    }

    private static func code(_ body: () async throws -> Void) async -> ServiceError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? ServiceError)?.code
        }
    }

    @Test func `only one call probes, and a cancelled probe is replaced`() async throws {
        let gate = Gate()
        let script = ScriptedSession { request in
            switch request.path {
            case "/fail": return .status(503)
            case "/hang":
                await waitUntilCancelled()
                throw CancellationError()
            default:
                await gate.wait()
                return .text("x")
            }
        }
        let session = script.intercepted(by: interceptor(failures: 1))
        _ = try await session.send(request("http://api.test/fail"))
        clock.advance(by: .seconds(30))
        let hanging = try request("http://api.test/hang")
        let probe = Task { try await session.send(hanging) }
        try await Soak.wait { script.recorded.count == 2 }
        let error = await #expect(throws: ServiceError.self) { try await session.send(request()) }
        #expect(error?.code == .circuitOpen && error?.retryAfter == nil)
        probe.cancel()
        await #expect(throws: (any Error).self) { try await probe.value }
        #expect(
            hanging.options.trail?.trail.events.map(\.message).last
                == "half-open: the probe ended without an outcome, the next request is the probe")
        let good = try request()
        let second = Task { try await session.send(good) }
        try await Soak.wait { script.recorded.count == 3 }
        #expect(await Self.code { _ = try await session.send(request()) } == .circuitOpen)
        gate.open()
        #expect(try await second.value.head.status == 200)
        #expect(try await session.send(request()).head.status == 200)
    }

    @Test(arguments: [(Duration.zero, true), (.seconds(1), false)])
    func `a cancelled call counts only if its deadline has passed`(left: Duration, opens: Bool) async throws {
        struct Cancelled: APISession {
            func send(_ request: APIRequest) async throws -> APIResponse { throw CancellationError() }
        }
        let interceptor = interceptor(failures: 1)
        var request = try request()
        request.options.deadline = .after(left, on: clock)
        await #expect(throws: CancellationError.self) { try await interceptor.intercept(request, next: Cancelled()) }
        let isOpen =
            await Self.code { _ = try await interceptor.intercept(self.request(), next: Cancelled()) } == .circuitOpen
        #expect(isOpen == opens)
    }

    @Test func `a failing redirect target does not affect the original host`() async throws {
        struct Elsewhere: APISession {
            let url: URL
            func send(_ request: APIRequest) async throws -> APIResponse {
                APIResponse(head: ResponseHead(status: 503, url: url))
            }
        }
        let interceptor = interceptor(failures: 1)
        let url = try #require(URL(string: "http://cdn.test/"))
        _ = try await interceptor.intercept(request(), next: Elsewhere(url: url))
        #expect(interceptor.hosts == 0)
    }

    @Test func `each host has its own circuit until it recovers`() async throws {
        let script = ScriptedSession { $0.path == "/fail" ? .status(503) : .text("x") }
        let interceptor = interceptor()
        let session = script.intercepted(by: interceptor)
        #expect(interceptor.hosts == 0)
        for host in ["a", "b"] { _ = try await session.send(request("http://\(host).test/fail")) }
        _ = try await session.send(request("http://a.test/fail"))
        #expect(await Self.code { _ = try await session.send(request("http://a.test/")) } == .circuitOpen)
        #expect(try await session.send(request("http://b.test/")).head.status == 200)
        #expect(interceptor.hosts == 1, "a host without failures is not recorded")
        clock.advance(by: .seconds(30))
        _ = try await session.send(request("http://a.test/"))
        #expect(interceptor.hosts == 0)
    }

    @Test func `the number of hosts is limited, open circuits are kept longest`() async throws {
        let script = ScriptedSession { _ in .status(503) }
        let interceptor = interceptor(maximumHosts: 10)
        let session = script.intercepted(by: interceptor)
        for _ in 1...2 { _ = try await session.send(request("http://open.test/")) }
        for index in 1...50 { _ = try await session.send(request("http://h\(index).test/")) }
        #expect(interceptor.hosts == 10)
        #expect(await Self.code { _ = try await session.send(request("http://open.test/")) } == .circuitOpen)
    }

    @Test func `a streamed call is evaluated at its header section`() async throws {
        let script = ScriptedSession { _ in
            .chunks([Data("a".utf8), Data("b".utf8)]).truncatingBody(after: 1)
        }
        let session = script.intercepted(by: interceptor(failures: 1))
        var request = try request()
        request.options.delivery = .streamed
        for _ in 1...3 {
            let response = try await session.send(request)
            await #expect(throws: ServiceError.self) { try await response.body.collect() }
        }
        request.options.delivery = .buffered
        _ = try? await session.send(request)
        #expect(await Self.code { _ = try await session.send(self.request()) } == .circuitOpen)
    }
}
