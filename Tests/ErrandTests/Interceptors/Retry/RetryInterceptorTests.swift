import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RetryInterceptorTests {
    private let clock = InstantClock()

    private func intercepted(
        _ replies: [CannedReply], _ change: (inout RetryPolicy) -> Void = { _ in }
    ) -> (script: ScriptedSession, session: any APISession) {
        var policy = RetryPolicy()
        change(&policy)
        let script = ScriptedSession(replies)
        return (script, script.intercepted(by: RetryInterceptor(policy)))
    }

    private func request(
        _ method: HTTPMethod = .get, _ body: RequestBody = .none, _ configure: (inout RequestOptions) -> Void = { _ in }
    ) throws -> APIRequest {
        var request = APIRequest(head: URLRequest(url: try #require(URL(string: "http://api.test/a"))), body: body)
        request.method = method
        (request.options.time, request.options.random) = (clock, FixedRandom(fraction: 0.5))
        request.options.trail = Trail.Recorder(on: clock)
        configure(&request.options)
        return request
    }

    @Test func `a call that fails twice succeeds at the third attempt`() async throws {
        let (script, session) = intercepted([.status(503), .failure(ServiceError(.timeout, "silent")), .text("x")])
        let request = try request()
        let response = try await session.send(request)
        #expect(response.body.data == Data("x".utf8) && script.recorded.count == 3)
        #expect(clock.waits == [.milliseconds(50), .milliseconds(100)])
        let trail = try #require(request.options.trail?.trail)
        #expect(trail.attempts.map(\.status) == [503, nil, 200])
        #expect(
            trail.events.map(\.message) == [
                "503 Service Unavailable in 0.0 ms; attempt 1; retry in 50.0 ms: status 503",
                "timeout in 0.0 ms; attempt 2; retry in 100.0 ms: timeout", "200 OK in 0.0 ms; attempt 3",
            ])
    }

    @Test func `the last error lists every attempt`() async throws {
        let lost = CannedReply.failure(ServiceError(.connectionLost, "gone"))
        let (_, session) = intercepted([lost, lost, lost])
        let error = await #expect(throws: ServiceError.self) { try await session.send(request()) }
        #expect(error?.attempts.map(\.failure) == [.connectionLost, .connectionLost, .connectionLost])
        #expect(
            error?.attempts.map(\.note) == [
                "attempt 1; retry in 0.0 ms: connection lost", "attempt 2; retry in 100.0 ms: connection lost",
                "attempt 3; not retried: the maximum number of attempts is reached",
            ])
        #expect(clock.waits == [.milliseconds(100)], "the first lost connection is retried at once")
    }

    @Test func `the last response is returned when all attempts fail`() async throws {
        let (_, session) = intercepted([.status(500), .status(502), .text("sorry", status: 503)])
        let response = try await session.send(request())
        #expect(response.head.status == 503 && response.body.data == Data("sorry".utf8))
    }

    @Test(arguments: [
        (HTTPMethod.post, RequestOptions.Idempotency.byMethod, nil, 1), (.post, .always, nil, 2),
        (.post, .byMethod, "k", 2),
        (.get, .never, nil, 1), (.put, .byMethod, nil, 2), (.patch, .byKey, nil, 1), (.delete, .byKey, nil, 2),
        (.query, .byMethod, nil, 2),
    ])
    func `only repeatable requests are retried`(
        method: HTTPMethod, idempotency: RequestOptions.Idempotency, key: String?, count: Int
    ) async throws {
        let (script, session) = intercepted([.status(503), .text("x")])
        var request = try request(method) { $0.idempotency = idempotency }
        if let key { request.head.setValue(key, forHTTPHeaderField: "Idempotency-Key") }
        _ = try await session.send(request)
        #expect(script.recorded.count == count)
    }

    @Test func `a one-time body is sent only once`() async throws {
        let (script, session) = intercepted([.text("busy", status: 503), .text("x")])
        let parts = AsyncStream<Data> { $0.finish() }
        let response = try await session.send(request(.put, .stream(once: parts)))
        #expect(response.head.status == 503 && script.recorded.count == 1 && clock.waits.isEmpty)
    }

    @Test func `a loader uses one idempotency key for all attempts`() async throws {
        struct Order: APIHandler {
            func makeRequest(from url: URL) -> URLRequest {
                var request = URLRequest(url: url)
                request.httpMethod = "POST"
                return request
            }
            func options(for url: URL) -> RequestOptions {
                var options = RequestOptions()
                options.idempotency = .byKey
                return options
            }
            func parseResponse(data: Data, response: HTTPURLResponse) {}
        }
        let (script, session) = intercepted([.status(503), .status(503), .text(""), .text("")])
        let loader = APILoader(Order(), session: session, time: clock)
        let url = try #require(URL(string: "http://api.test/a"))
        try await loader.load(url)
        try await loader.load(url)
        let keys = script.recorded.map { $0.headers["Idempotency-Key"] ?? "" }
        #expect(keys.count == 4 && Set(keys.prefix(3)).count == 1 && keys[3] != keys[0])
        #expect(keys.allSatisfy { $0.count == 36 && $0.dropFirst(14).first == "4" })
    }

    @Test func `a call that is cancelled between attempts sends nothing more`() async throws {
        let clock = ManualClock()
        let script = ScriptedSession([.status(503), .text("x")])
        let session = script.intercepted(by: RetryInterceptor())
        let request = try request { $0.time = clock }
        let call = Task { try await session.send(request) }
        try await clock.waitForSleepers()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(script.recorded.count == 1)
    }

    @Test func `a call that is cancelled during an attempt ends`() async throws {
        let script = ScriptedSession([.stall])
        let session = script.intercepted(by: RetryInterceptor())
        let request = try request { $0.time = ManualClock() }
        let call = Task { try await session.send(request) }
        try await Soak.wait { script.recorded.count == 1 }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func `a wait beyond the deadline is not started`() async throws {
        let clock = ManualClock()
        let script = ScriptedSession([.status(503).header("Retry-After", "10"), .text("x")])
        let session = script.intercepted(by: RetryInterceptor())
        let request = try request { ($0.time, $0.deadline) = (clock, .after(.seconds(10), on: clock)) }
        #expect(try await session.send(request).head.status == 503)
        #expect(script.recorded.count == 1)
    }

    private struct Call: APIHandler {
        let url: URL
        var total: Duration?
        func makeRequest(from input: Void) -> URLRequest { URLRequest(url: url) }
        func parseResponse(data: Data, head: ResponseHead) -> Int { head.status }
        func parseResponse(data: Data, response: HTTPURLResponse) -> Int { response.statusCode }
        func options(for input: Void) -> RequestOptions {
            var options = RequestOptions()
            options.totalTimeout = total
            return options
        }
    }

    @Test func `a call that times out lists all attempts`() async throws {
        let clock = ManualClock()
        let script = ScriptedSession([.status(503), .stall])
        let url = try #require(URL(string: "http://api.test/a"))
        let loader = APILoader(
            Call(url: url, total: .seconds(9)), session: script.intercepted(by: RetryInterceptor()), time: clock,
            random: FixedRandom(fraction: 0))
        let call = Task { try await loader.load() }
        try await Soak.wait { script.recorded.count == 2 }
        clock.advance(by: .seconds(9))
        let error = await #expect(throws: ServiceError.self) { try await call.value }
        #expect(error?.code == .timeout)
        #expect(error?.attempts.map(\.status) == [503, nil] && error?.attempts.last?.failure == .timeout)
    }

    @Test func `a call that is replayed after 401 lists earlier attempts`() async throws {
        struct Renewing: Authorizer {
            var identity: Credentials.Identity? { "one" }
            func credentials(for request: APIRequest) -> Credentials { .bearer(Secret("old"), generation: 1) }
            func react(to refusal: AuthorizationInterceptor.Refusal, of credentials: Credentials)
                -> AuthorizationInterceptor.Decision
            {
                .replay(.bearer(Secret("new"), generation: 2))
            }
        }
        let url = try #require(URL(string: "http://api.test/a"))
        let (_, session) = intercepted([.status(503), .status(401), .status(503), .status(500), .status(502)])
        let loader = APILoader(
            Call(url: url), session: session.intercepted(by: AuthorizationInterceptor(Renewing(), at: url)), time: clock
        )
        let error = await #expect(throws: ServiceError.self) { try await loader.load() }
        #expect(error?.attempts.map(\.status) == [503, 401, 503, 500, 502])
        #expect(error?.attempts.last?.note == "attempt 3; not retried: the maximum number of attempts is reached")
    }

    @Test func `an outage limits the retries to one host only`() async throws {
        let script = ScriptedSession { _ in .status(503) }
        var policy = RetryPolicy()
        policy.budget = RetryPolicy.Budget(capacity: 10, retryCost: 5)
        let session = script.intercepted(by: RetryInterceptor(policy))
        for _ in 1...10 { _ = try await session.send(request()) }
        #expect(script.recorded.count == 12)
        var other = try request()
        other.url = URL(string: "http://other.test/")
        _ = try await session.send(other)
        #expect(script.recorded.count == 15)
    }

    @Test(arguments: [nil, RetryPolicy.Budget(capacity: .max), RetryPolicy.Budget(capacity: .max, refund: .max)])
    func `refunds do not overflow an unlimited budget`(budget: RetryPolicy.Budget?) async throws {
        let (script, session) = intercepted([.status(503), .text("x"), .text("y")]) { $0.budget = budget }
        for _ in 1...2 { _ = try await session.send(request()) }
        #expect(script.recorded.count == 3)
    }

    @Test func `a streamed call is evaluated at its header section`() async throws {
        let (script, session) = intercepted([
            .status(503), .chunks([Data("a".utf8), Data("b".utf8)]).truncatingBody(after: 1), .text("never"),
        ])
        let response = try await session.send(request { $0.delivery = .streamed })
        await #expect(throws: ServiceError.self) { try await response.body.collect() }
        #expect(script.recorded.count == 2)
    }
}
