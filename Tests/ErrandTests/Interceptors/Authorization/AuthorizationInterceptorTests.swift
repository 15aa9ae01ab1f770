import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct AuthorizationInterceptorTests {
    private func url(_ text: String = "https://api.test/a") throws -> URL { try #require(URL(string: text)) }

    private func request(_ text: String = "https://api.test/a", _ body: RequestBody = .none) throws -> APIRequest {
        var request = APIRequest(head: URLRequest(url: try url(text)), body: body)
        if body != .none { request.method = .put }
        request.options.trail = Trail.Recorder(on: InstantClock())
        return request
    }

    private func messages(_ request: APIRequest) -> [String] {
        request.options.trail?.trail.events.map(\.message) ?? []
    }

    /// Provides the token `first`, and `second` after a refusal.
    private struct Two: Authorizer {
        var identity: Credentials.Identity? { Credentials.Identity("two") }
        var reaction: (@Sendable () async throws -> AuthorizationInterceptor.Decision)?
        func credentials(for request: APIRequest) -> Credentials { .bearer(Secret("first"), generation: 1) }
        func react(to refusal: AuthorizationInterceptor.Refusal, of credentials: Credentials) async throws
            -> AuthorizationInterceptor.Decision
        {
            if let reaction { return try await reaction() }
            return .replay(.bearer(Secret("second"), generation: 2))
        }
    }

    struct Ready: Sendable {
        let authorizer: FixedAuthorizer
        let name: String
        let value: String
    }

    static func ready() throws -> [Ready] {
        [
            Ready(authorizer: .bearer(Secret("t")), name: "Authorization", value: "Bearer t"),
            Ready(authorizer: .apiKey(Secret("k"), header: "X-Who"), name: "X-Who", value: "k"),
            Ready(authorizer: .clientID(Secret("k")), name: "Authorization", value: "Client-ID k"),
            Ready(  // RFC 7617, sections 2 and 2.1
                authorizer: try .basic(user: "Aladdin", password: Secret("open sesame")), name: "Authorization",
                value: "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            Ready(
                authorizer: try .basic(user: "test", password: Secret("123\u{a3}")), name: "Authorization",
                value: "Basic dGVzdDoxMjPCow=="),
        ]
    }

    @Test func `built-in authorizers set their headers and redact them`() async throws {
        for ready in try Self.ready() {
            let script = ScriptedSession([.text("")])
            _ = try await script.intercepted(by: AuthorizationInterceptor(ready.authorizer, at: url())).send(request())
            let sent = try #require(script.recorded.first)
            #expect(sent.headers[ready.name] == ready.value)
            #expect(sent.options.redaction.hides(ready.name) && sent.options.identity == ready.authorizer.identity)
            #expect(!"\(ready.authorizer)".contains(ready.value))
        }
        #expect(throws: ServiceError.self) { try Credentials.basic(user: "a:b", password: Secret("")) }
        #expect(throws: ServiceError.self) { try Credentials.basic(user: "a", password: Secret("\u{7}")) }
    }

    @Test func `a key in the query is hidden from descriptions and responses`() async throws {
        let script = ScriptedSession([.text("x"), .status(403)])
        let interceptor = AuthorizationInterceptor(.apiKey(Secret("hush&="), query: "appid"), at: try url())
        let session = script.intercepted(by: interceptor)
        let response = try await session.send(request("https://api.test/a?b=c"))
        let sent = try #require(script.recorded.first)
        #expect(sent.url?.query() == "b=c&appid=hush%26%3D")
        #expect("\(sent)".contains("appid=\(Redaction.mask)") && !"\(sent)".contains("hush"))
        #expect(response.head.url == (try url("https://api.test/a?b=c")))
        #expect(try await session.send(request("https://api.test/a")).head.url == (try url()))
    }

    @Test(arguments: [
        "http://api.test/a", "https://api.test:8443/a", "https://evil.test/a", "https://api.test.evil.test/",
        "https://sub.api.test/a",
    ])
    func `credentials are not sent to another origin`(text: String) async throws {
        let script = ScriptedSession([.status(401)])
        let request = try request(text)
        let response = try await script.intercepted(by: AuthorizationInterceptor(Two(), at: url())).send(request)
        let sent = try #require(script.recorded.first)
        #expect(response.head.status == 401 && script.recorded.count == 1)
        #expect(sent.headers["Authorization"] == nil && sent.options.identity == nil)
        #expect(messages(request) == ["no credentials: another origin"])
    }

    @Test func `credentials without a valid origin are a configuration error`() async throws {
        for urls in [[], [try url("api.test")], [try url("mailto:a@b.test")]] {
            let session = ScriptedSession([.text("x")]).intercepted(by: AuthorizationInterceptor(Two(), at: urls))
            let error = await #expect(throws: ServiceError.self) { try await session.send(request()) }
            #expect(error?.code == .configuration)
        }
    }

    @Test func `the base URL of an environment is an authorized origin`() async throws {
        let script = ScriptedSession([.text("x"), .text("x")])
        let environment = ShopEnvironment.production
        let session = script.intercepted(by: try AuthorizationInterceptor(Two(), at: environment))
        _ = try await session.send(request(environment.url(for: "/a").absoluteString))
        _ = try await session.send(request("https://other.test/"))
        #expect(script.recorded.map { $0.headers["Authorization"] } == ["Bearer first", nil])
    }

    private enum Caller {
        @TaskLocal static var token = ""
    }

    /// An authorizer with credentials that depend on the calling task.
    private struct Several: Authorizer {
        var identity: Credentials.Identity? { nil }
        func credentials(for request: APIRequest) -> Credentials { .bearer(Secret(Caller.token)) }
    }

    @Test func `responses are not shared when the authorizer has no identity`() async throws {
        let arrived = Locked(0)
        let script = ScriptedSession { request in
            arrived.withLock { $0 += 1 }
            try await Soak.wait { arrived.withLock { $0 } == 20 }
            return .text(request.headers["Authorization"] ?? "")
        }
        let session: StandardSession = .standard(
            authorization: AuthorizationInterceptor(Several(), at: try url()), over: script)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                let request = try request()
                group.addTask {
                    let body = try await Caller.$token.withValue("\(number)") {
                        try await session.send(request).body.data
                    }
                    #expect(body == Data("Bearer \(number)".utf8))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: [401, 403])
    func `a refusal from a redirect target triggers no replay`(status: Int) async throws {
        let script = ScriptedSession([
            .status(302).header("Location", "https://files.test/b"),
            .status(status).header("WWW-Authenticate", #"Bearer error="insufficient_scope", scope="x""#),
        ])
        let interceptor = AuthorizationInterceptor(Two(), at: try url())
        let response = try await script.intercepted(by: interceptor, RedirectInterceptor()).send(request())
        #expect(response.head.status == status)
        #expect(script.recorded.map { $0.headers["Authorization"] } == ["Bearer first", nil])
    }

    @Test func `a request keeps its own Authorization header and its refusal`() async throws {
        let script = ScriptedSession([.status(401)])
        var request = try request()
        request.head.setValue("Own x", forHTTPHeaderField: "authorization")
        let response = try await script.intercepted(by: AuthorizationInterceptor(Two(), at: url())).send(request)
        #expect(response.head.status == 401 && script.recorded.map { $0.headers["Authorization"] } == ["Own x"])
        #expect(script.recorded.map(\.options.identity) == [nil])
    }

    @Test func `a refused request is replayed only once`() async throws {
        let script = ScriptedSession([.status(401), .status(401)])
        let request = try request("https://API.test:443/a", .data(Data("b".utf8)))
        let response = try await script.intercepted(by: AuthorizationInterceptor(Two(), at: url())).send(request)
        #expect(response.head.status == 401)
        #expect(script.recorded.map { $0.headers["Authorization"] } == ["Bearer first", "Bearer second"])
        #expect(script.recorded.allSatisfy { $0.body.data == Data("b".utf8) })
        #expect(messages(request) == ["replayed after 401"])
    }

    @Test func `a one-time body is not replayed`() async throws {
        let script = ScriptedSession([.status(401)])
        let request = try request("https://api.test/a", .stream(once: AsyncParts([Data("b".utf8)])))
        let response = try await script.intercepted(by: AuthorizationInterceptor(Two(), at: url())).send(request)
        #expect(response.head.status == 401 && script.recorded.count == 1)
    }

    @Test func `a request is not replayed with the same credentials`() async throws {
        let script = ScriptedSession([.status(401)])
        var authorizer = Two()
        authorizer.reaction = { .replay(.bearer(Secret("first"), generation: 1)) }
        _ = try await script.intercepted(by: AuthorizationInterceptor(authorizer, at: url())).send(request())
        #expect(script.recorded.count == 1)
    }

    @Test(arguments: [401, 403]) func `an insufficient scope error names the required scope`(status: Int) async throws {
        let challenge = #"Bearer error="insufficient_scope", scope="photos.write photos.admin""#
        let script = ScriptedSession([.text("no", status: status).header("WWW-Authenticate", challenge)])
        let error = await #expect(throws: ServiceError.self) {
            try await script.intercepted(by: AuthorizationInterceptor(Two(), at: url())).send(request())
        }
        #expect(error?.code == .insufficientScope && error?.status == status && error?.body == Data("no".utf8))
        #expect(error?.insufficientScope?.scope == ["photos.write", "photos.admin"])
    }

    @Test func `a refused stream is released before the replay`() async throws {
        let probe = StreamProbe()
        let session = probe.intercepted(by: AuthorizationInterceptor(Two(), at: try url()))
        var request = try request()
        request.options.delivery = .streamed
        _ = try await session.send(request)
        #expect(probe.wasGone.withLock { $0 } == true)
    }

    @Test func `cancellation ends a call while the authorizer reacts`() async throws {
        let gate = Gate()
        var authorizer = Two()
        authorizer.reaction = {
            gate.open()
            await waitUntilCancelled()
            throw CancellationError()
        }
        let script = ScriptedSession([.status(401)])
        let session = script.intercepted(by: AuthorizationInterceptor(authorizer, at: try url()))
        let request = try request()
        let call = Task { try await session.send(request) }
        await gate.wait()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(script.recorded.count == 1)
    }
}

/// Refuses the first request with a stream. Checks at the second request whether the stream was released.
private final class StreamProbe: APISession {
    private final class Held: Sendable {}
    private struct Weak: Sendable { weak var held: Held? }
    private let first = Locked<Weak?>(nil)
    let wasGone = Locked<Bool?>(nil)

    func send(_ request: APIRequest) async throws -> APIResponse {
        if let first = first.withLock({ $0 }) {
            wasGone.withLock { $0 = first.held == nil }
            return try APIResponse(to: request)
        }
        let held = Held()
        first.withLock { $0 = Weak(held: held) }
        var response = try APIResponse(to: request, status: 401)
        response.body = ResponseBody(stream: AsyncParts([Data("x".utf8)]) { withExtendedLifetime(held) {} })
        return response
    }
}
