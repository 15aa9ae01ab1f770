import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CookieInterceptorTests {
    /// A call through redirect and cookie interceptors, the replies of the server, and the requests sent.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// The cookies in the jar, set by `http://a.test`.
        var kept: [String] = []
        /// The `Cookie` header that the caller sets.
        var own: String?
        let replies: [CannedReply]
        /// The URL and the `Cookie` header of each request.
        let sent: [String]
        var testDescription: String { name }
    }

    private static func reply(_ status: Int = 200, to location: String? = nil, _ lines: String...) -> CannedReply {
        let reply = location.map { CannedReply.status(status).header("Location", $0) } ?? .status(status)
        return lines.reduce(reply) { $0.header("Set-Cookie", $1) }
    }

    static let rows: [Row] = [
        Row(name: "an empty jar sends no cookie", replies: [reply()], sent: ["a.test/ –"]),
        Row(name: "stored cookies are sent", kept: ["a=1", "b=2"], replies: [reply()], sent: ["a.test/ a=1; b=2"]),
        Row(
            name: "every Set-Cookie header of a redirect is stored",
            replies: [reply(302, to: "/x", "a=1; Expires=Sun, 09 Sep 2029 01:47:40 GMT", "b=2"), reply()],
            sent: ["a.test/ –", "a.test/x a=1; b=2"]),
        Row(
            name: "a redirect to another origin sends no cookies", kept: ["a=1"],
            replies: [reply(307, to: "http://b.test/x", "b=2"), reply()], sent: ["a.test/ a=1", "b.test/x –"]),
        Row(
            name: "each origin receives its own cookies", kept: ["a=1"],
            replies: [
                reply(302, to: "http://b.test/x"), reply(302, to: "http://a.test/y", "b=2; Path=/"),
                reply(302, to: "http://b.test/z"), reply(),
            ],
            sent: ["a.test/ a=1", "b.test/x –", "a.test/y a=1", "b.test/z b=2"]),
        Row(
            name: "redirects remove cookies", kept: ["a=1"], replies: [reply(303, to: "/x", "a=; Max-Age=0"), reply()],
            sent: ["a.test/ a=1", "a.test/x –"]),
        Row(
            name: "the caller's header takes precedence", kept: ["a=1"], own: "c=3",
            replies: [reply(302, to: "/x", "b=2"), reply()],
            sent: ["a.test/ c=3", "a.test/x c=3"]),
        Row(
            name: "the caller's header stays at its origin", kept: ["a=1"], own: "c=3",
            replies: [reply(302, to: "http://b.test/x"), reply(302, to: "http://a.test/y"), reply()],
            sent: ["a.test/ c=3", "b.test/x –", "a.test/y a=1"]),
        Row(name: "an error response sets cookies", replies: [reply(404, "a=1")], sent: ["a.test/ –"]),
    ]

    private func call(_ own: String? = nil) throws -> APIRequest {
        var head = URLRequest(url: try #require(URL(string: "http://a.test/")))
        if let own { head.setValue(own, forHTTPHeaderField: "cookie") }
        return APIRequest(head: head, body: .none)
    }

    private func line(_ request: APIRequest) -> String {
        "\(request.url?.host() ?? "")\(request.path) \(request.headers["Cookie"] ?? "–")"
    }

    @Test(arguments: rows)
    func `each URL receives only its own cookies`(row: Row) async throws {
        let jar = CookieJar()
        jar.save(row.kept, from: try #require(URL(string: "http://a.test/")))
        let double = ScriptedSession(row.replies)
        _ = try await double.intercepted(by: RedirectInterceptor(), CookieInterceptor(jar)).send(call(row.own))
        #expect(double.recorded.map(line) == row.sent)
        try double.verify()
    }

    @Test func `the next call sends the cookies that a response set`() async throws {
        let double = ScriptedSession([Self.reply(404, "a=1"), Self.reply()])
        let session = double.intercepted(by: CookieInterceptor(CookieJar()))
        for _ in 1...2 { _ = try await session.send(call()) }
        #expect(double.recorded.map(line) == ["a.test/ –", "a.test/ a=1"])
    }

    @Test func `cookies belong to the URL of the response`() async throws {
        struct Following: APISession {
            func send(_ request: APIRequest) async throws -> APIResponse {
                guard let url = URL(string: "http://b.test/") else { throw ServiceError(.encoding, "no URL") }
                return APIResponse(head: ResponseHead(status: 200, headers: ["Set-Cookie": "b=2"], url: url))
            }
        }
        let jar = CookieJar()
        _ = try await Following().intercepted(by: CookieInterceptor(jar)).send(call())
        #expect(jar.cookies(for: try #require(URL(string: "http://a.test/"))) == nil)
        #expect(jar.cookies(for: try #require(URL(string: "http://b.test/"))) == "b=2")
    }

    @Test(arguments: ["a=1\r\nX: 2", "a=\n", "a=\u{0}"])
    func `a cookie store cannot inject a second header`(value: String) async throws {
        struct Forging: CookieInterceptor.Store {
            let value: String
            func cookies(for url: URL, at date: Date) -> String? { value }
            func save(_ lines: [String], from url: URL, at date: Date) {}
        }
        let double = ScriptedSession([Self.reply()])
        let session = double.intercepted(by: CookieInterceptor(Forging(value: value)))
        let error = await #expect(throws: ServiceError.self) { try await session.send(call()) }
        #expect(error?.code == .encoding && double.recorded.isEmpty)
    }
}
