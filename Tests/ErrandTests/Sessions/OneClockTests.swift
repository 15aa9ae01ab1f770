import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// All interceptors with one clock, which is the loader's. No test passes a clock to anything else.
@Suite(.timeLimit(.minutes(2))) struct OneClockTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// The minimum time that passes on the manual clock.
        let waits: Duration
        let run: @Sendable (ManualClock) async throws -> Void
        var testDescription: String { name }

        init(_ name: String, waits: Duration, _ run: @escaping @Sendable (ManualClock) async throws -> Void) {
            (self.name, self.waits, self.run) = (name, waits, run)
        }
    }

    @Test(arguments: rows + statefulRows)
    func `interceptors do not wait in real time on a manual clock`(row: Row) async throws {
        let isPrompt = try await RealTime.isLess(than: .seconds(10)) {
            let clock = ManualClock()
            try await clock.drive { try await row.run(clock) }
            #expect(clock.now >= row.waits)
        }
        #expect(isPrompt, "the call took more than ten seconds of real time")
    }

    private static let slow = CannedReply.text("x").delayed(by: .seconds(20))
    private static let busy = CannedReply.status(503).header("Retry-After", "30")

    static let rows: [Row] = [
        Row("identity", waits: .seconds(20)) { clock in
            try await expect([200], ScriptedSession([slow]).intercepted(by: IdentityInterceptor()), clock)
        },
        Row("redirects", waits: .seconds(40)) { clock in
            let moved = CannedReply.status(302).header("Location", "/b").delayed(by: .seconds(20))
            try await expect([200], ScriptedSession([moved, slow]).intercepted(by: RedirectInterceptor()), clock)
        },
        Row("retry with Retry-After", waits: .seconds(30)) { clock in
            try await expect([200], ScriptedSession([busy, .text("x")]).intercepted(by: RetryInterceptor()), clock)
        },
        Row("retry with jitter", waits: .seconds(19)) { clock in
            var policy = RetryPolicy()
            policy.backoff = RetryPolicy.Backoff(base: .seconds(20))
            let session = ScriptedSession([.status(503), .text("x")]).intercepted(by: RetryInterceptor(policy))
            // The highest fraction below 1.
            let loader = APILoader(Call(), session: session, time: clock, random: FixedRandom(fraction: 1))
            let status = try await loader.load(0)
            #expect(status == 200)
        },
        Row("coalescing", waits: .seconds(20)) { clock in
            let session = ScriptedSession([slow, slow]).intercepted(by: CoalescingInterceptor())
            async let one = status(of: 0, session, clock, total: .seconds(3_600))
            async let other = status(of: 0, session, clock, total: .seconds(3_600))
            let statuses = try await [one, other]
            #expect(statuses == [200, 200])
        },
        Row("logging", waits: .seconds(20)) { clock in
            let lines = Locked<[String]>([])
            let log = LoggingInterceptor.PrintSink { line in lines.withLock { $0.append(line) } }
            try await expect([200], ScriptedSession([slow]).intercepted(by: LoggingInterceptor(log)), clock)
            #expect(lines.withLock { $0.last }?.contains("200 OK in 20000.0 ms") == true)
        },
        Row("the standard session", waits: .seconds(60)) { clock in
            let script = ScriptedSession([busy, busy, .text("x")])
            let loader = APILoader(Call(), session: .standard(over: script), time: clock)
            let loaded = try await loader.response(0)
            #expect(loaded.value == 200)
            // The rate limiter records the same limit, but the limit has passed when the retry is sent.
            #expect(loaded.trail.events.map(\.source) == [.retry, .retry, .retry])
            #expect(loaded.trail.attempts.first?.note == "attempt 1; retry in 30000.0 ms: status 503")
        },
    ]

    /// Interceptors that keep state between requests.
    static let statefulRows: [Row] = [
        Row("authorization with a refresh", waits: .seconds(20)) { clock in
            let token = #"{"access_token":"b","refresh_token":"r","token_type":"Bearer","expires_in":60}"#
            let server = ScriptedSession([.json(token).delayed(by: .seconds(20)), .json(token)])
            let client = OAuthClient(id: "app", tokenEndpoint: try Call.url("https://login.test/"), session: server)
            let expired = OAuthToken(access: Secret("a"), refresh: Secret("r"), expiry: clock.date - 1)
            let account = OAuthAuthorizer(client, store: MemoryTokenStore(expired))
            let interceptor = AuthorizationInterceptor(account, at: try Call.url("https://api.test/"))
            let api = ScriptedSession { _ in .text("x") }
            try await expect([200], api.intercepted(by: interceptor), clock)
            clock.advance(by: .seconds(60))
            try await expect([200], api.intercepted(by: interceptor), clock)
            #expect(server.recorded.count == 2, "the second token expires on the same clock")
        },
        Row("authorization after a sign-in", waits: .seconds(60)) { clock in
            let token = #"{"access_token":"b","refresh_token":"r","token_type":"Bearer","expires_in":3600}"#
            let server = ScriptedSession([.json(token)])
            let client = OAuthClient(id: "app", tokenEndpoint: try Call.url("https://login.test/"), session: server)
            let account = OAuthAuthorizer(client)
            try await account.signIn(
                OAuthToken(access: Secret("a"), refresh: Secret("r"), expiry: clock.date + 60))
            let api = ScriptedSession { _ in .text("x") }
            let session = api.intercepted(by: AuthorizationInterceptor(account, at: try Call.url("https://api.test/")))
            try await expect([200], session, clock)
            clock.advance(by: .seconds(60))
            try await expect([200], session, clock)
            #expect(api.recorded.map { $0.headers["Authorization"] } == ["Bearer a", "Bearer b"])
        },
        Row("a rate limit of the server", waits: .seconds(30)) { clock in
            let session = ScriptedSession([busy, .text("x")]).intercepted(by: RateLimitInterceptor())
            try await expect([503, 200], session, clock)
        },
        Row("a rate of the policy", waits: .seconds(40)) { clock in
            var policy = RateLimitInterceptor.Policy()
            policy.rate = RateLimitInterceptor.Policy.Rate(1, per: .seconds(20))
            let session = ScriptedSession { _ in .text("x") }.intercepted(by: RateLimitInterceptor(policy))
            try await expect([200, 200, 200], session, clock)
        },
        Row("concurrency of the policy", waits: .seconds(40)) { clock in
            var policy = RateLimitInterceptor.Policy()
            policy.concurrency = 1
            let session = ScriptedSession([slow, slow]).intercepted(by: RateLimitInterceptor(policy))
            async let one = status(of: 1, session, clock)
            async let other = status(of: 2, session, clock)
            let statuses = try await [one, other]
            #expect(statuses == [200, 200])
        },
        Row("a circuit that opens and closes", waits: .seconds(30)) { clock in
            var policy = CircuitBreakerInterceptor.Policy()
            policy.failures = 1
            let session = ScriptedSession([.status(503), .text("x"), .text("x")])
                .intercepted(by: CircuitBreakerInterceptor(policy))
            try await expect([503], session, clock)
            let error = await #expect(throws: ServiceError.self) { try await status(of: 0, session, clock) }
            #expect(error?.code == .circuitOpen && error?.retryAfter == .seconds(30))
            clock.advance(by: .seconds(30))
            try await expect([200, 200], session, clock)
        },
        Row("cookies", waits: .seconds(20)) { clock in
            let script = ScriptedSession([
                .text("x").header("Set-Cookie", "a=1; Max-Age=30"), slow, .text("x").delayed(by: .seconds(20)),
                .text("x"),
            ])
            try await expect([200, 200, 200, 200], script.intercepted(by: CookieInterceptor(CookieJar())), clock)
            #expect(script.recorded.map { $0.headers["Cookie"] } == [nil, "a=1", "a=1", nil])
        },
    ]
}

/// A call that returns any status. Its input is a number that makes each request different.
private struct Call: APIHandler {
    var total: Duration?
    var validators: [ResponseValidator] { [] }

    static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    func makeRequest(from number: Int) throws -> URLRequest {
        URLRequest(url: try Self.url("https://api.test/\(number)"))
    }

    func options(for number: Int) -> RequestOptions {
        var options = RequestOptions()
        options.totalTimeout = total
        return options
    }

    func parseResponse(data: Data, response: HTTPURLResponse) -> Int { response.statusCode }
}

private func status(
    of number: Int, _ session: any APISession, _ clock: ManualClock, total: Duration? = nil
) async throws -> Int {
    try await APILoader(Call(total: total), session: session, time: clock).load(number)
}

/// Sends one request after the other and checks the statuses.
private func expect(_ statuses: [Int], _ session: any APISession, _ clock: ManualClock) async throws {
    for expected in statuses { #expect(try await status(of: 0, session, clock) == expected) }
}

extension ManualClock {
    /// Runs work, and advances the clock by a second when a task sleeps on it.
    ///
    /// A resumed task may have a timeout that still sleeps. The task gets at least 2 ms of real time for each second on
    /// the clock to cancel the timeout before it expires.
    fileprivate func drive(_ work: () async throws -> Void) async throws {
        let driver = Task {
            let real = ContinuousClock()
            while !Task.isCancelled {
                try await advance(by: .seconds(1), sleeping: 1)
                let end = real.now + .milliseconds(2)
                while real.now < end { await Task.yield() }
            }
        }
        defer { driver.cancel() }
        try await work()
    }
}
