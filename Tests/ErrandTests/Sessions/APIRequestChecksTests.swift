import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite struct APIRequestChecksTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var url = "http://a.test/"
        var method = "GET"
        var headers: [String: String] = [:]
        var body: String?
        let passes: Bool
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "plain", passes: true),
        Row(name: "upper-case scheme", url: "HTTPS://a.test/", passes: true),
        Row(name: "a custom method", method: "PURGE", passes: true),
        Row(name: "POST with a body", method: "POST", body: "x", passes: true),
        Row(name: "DELETE with a body", method: "DELETE", body: "x", passes: true),
        Row(name: "obs-text in a value", headers: ["X-A": "é"], passes: true),
        Row(name: "GET with a body", body: "x", passes: false),
        Row(name: "HEAD with a body", method: "HEAD", body: "x", passes: false),
        Row(name: "method with a line break", method: "GET /admin HTTP/1.1\r\nHost: b\r\n\r\nGET", passes: false),
        Row(name: "empty method", method: "", passes: false),
        Row(name: "value with CRLF", headers: ["X-A": "b\r\nX-Injected: 1"], passes: false),
        Row(name: "value with LF", headers: ["X-A": "b\nc"], passes: false),
        Row(name: "value with NUL", headers: ["X-A": "b\0"], passes: false),
        Row(name: "name with a space", headers: ["X A": "b"], passes: false),
        Row(name: "name with CRLF", headers: ["X-A: 1\r\nX-B": "b"], passes: false),
        Row(name: "explicit Content-Length", headers: ["content-length": "7"], passes: false),
        Row(name: "explicit Transfer-Encoding", headers: ["Transfer-Encoding": "chunked"], passes: false),
        Row(name: "proxy credentials", headers: ["proxy-Authorization": "Basic eA=="], passes: false),
        Row(name: "file", url: "file:///etc/passwd", passes: false),
        Row(name: "ftp", url: "ftp://a.test/", passes: false),
        Row(name: "data", url: "data:,x", passes: false),
        Row(name: "relative", url: "/x", passes: false),
        Row(name: "no host", url: "http:///x", passes: false),
        Row(name: "port above 65535", url: "http://a.test:99999/", passes: false),
        Row(name: "port with 20 digits", url: "http://a.test:99999999999999999999/", passes: false),
        Row(name: "empty port", url: "http://a.test:/", passes: true),
        Row(name: "port of an IPv6 literal", url: "http://[::1]:80/", passes: true),
        Row(name: "IPv6 literal without a port", url: "http://[::1]/", passes: true),
        Row(name: "CONNECT", method: "CONNECT", passes: false),
    ]

    /// A `Host` header is a host as in a URL, with an optional port (RFC 9110, section 7.2).
    static let hosts: [Row] =
        [
            "b.test", "B.TEST", "b.test:8080", "b.test:", "localhost", "127.0.0.1:1", "[::1]", "[::1]:65535",
            "b_c.test", "b.test.", "xn--bcher-kva.test", "1",
        ].map { Row(name: "Host \($0)", headers: ["Host": $0], passes: true) }
        + [
            "", " ", "b.test ", "b test", "u@b.test", "u:p@b.test", "http://b.test", "b.test/", "b.test/x", "b.test?x",
            "b.test#x", "b.test:x", "b.test:0", "b.test:80:80", "b.test:65536", "b.test:-1", "b.test:+1", "b.test: 80",
            ":80", "::1",
            "[::1", "[::1]x", "[x]", "b..test", ".b.test", "b.test, c.test", "bücher.test", "b%2etest", "b.test;",
            "b.test\t", "b.test\r\nX-A: 1", "b\0.test", "b.test:٨٠", "b.test:99999999999999999999",
        ].map { Row(name: "Host \($0)", headers: ["host": $0], passes: false) }

    @Test func `a malformed or duplicate Host header is an error with advice`() throws {
        var head = URLRequest(url: try #require(URL(string: "http://a.test/")))
        head.allHTTPHeaderFields = ["Host": "u:s3cr3t@b.test"]
        let request = APIRequest(head: head, body: .none)
        let error = #expect(throws: ServiceError.self) { try request.checkSendable() }
        let reason = "invalid Host header: expected a host with an optional port, such as \"api.example:8080\""
        #expect(error?.reason.hasPrefix(reason) == true && error.map { !"\($0)".contains("s3cr3t") } == true)
        head.allHTTPHeaderFields = ["Host": "b.test", "host": "b.test"]
        let twice = APIRequest(head: head, body: .none)
        // Apple's `URLRequest` ignores the case of header names and keeps one of the two.
        guard twice.headers.count == 2 else { return }
        let other = #expect(throws: ServiceError.self) { try twice.checkSendable() }
        #expect(other?.reason == "the request has two Host headers: set one")
    }

    @Test(arguments: rows + hosts)
    func `a request that must not be sent is rejected`(row: Row) throws {
        var head = URLRequest(url: try #require(URL(string: row.url)))
        head.httpMethod = row.method
        head.allHTTPHeaderFields = row.headers
        let request = APIRequest(head: head, body: row.body.map { .data(Data($0.utf8)) } ?? .none)
        if row.passes {
            try request.checkSendable()
        } else {
            let error = #expect(throws: ServiceError.self) { try request.checkSendable() }
            #expect(error?.code == .encoding)
        }
    }

    /// An interceptor that changes requests after the loader has checked them.
    struct Meddler: Interceptor, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout APIRequest) -> Void

        func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
            var request = request
            change(&request)
            return try await next.send(request)
        }
    }

    static let meddlers: [Meddler] = [
        Meddler(testDescription: "malformed Host") { $0.head.setValue("b.test/", forHTTPHeaderField: "Host") },
        Meddler(testDescription: "CRLF") { $0.head.allHTTPHeaderFields = ["X-B": "b\r\nX-C: 1"] },
        Meddler(testDescription: "CONNECT") { $0.head.httpMethod = "CONNECT" },
        Meddler(testDescription: "another scheme") { $0.head.url = URL(string: "file:///etc/passwd") },
        Meddler(testDescription: "a file request") { $0.head = URLRequest(url: URL(fileURLWithPath: "/etc/passwd")) },
        Meddler(testDescription: "method") { $0.method = HTTPMethod("CONNECT") },
        Meddler(testDescription: "url") { $0.url = nil },
        Meddler(testDescription: "GET with a body") { $0.body = .data(Data("x".utf8)) },
    ]

    @Test(arguments: meddlers)
    func `a request is checked again after an interceptor changes it`(meddler: Meddler) async throws {
        let session = ScriptedSession([.json(#"{"text":"hi"}"#)])
        let loader = APILoader(GreetingAPI(host: "a.test"), session: session.intercepted(by: meddler))
        let error = await #expect(throws: ServiceError.self) { try await loader.load("eva") }
        #expect(error?.code == .encoding && session.recorded.isEmpty)
    }

    @Test(arguments: ["content-length", "Proxy-Authorization", "Transfer-Encoding"])
    func `a header that credentials set is checked, too`(name: String) async throws {
        let session = ScriptedSession([.json(#"{"text":"hi"}"#)])
        let url = try #require(URL(string: "http://a.test/"))
        let interceptor = AuthorizationInterceptor(FixedAuthorizer(.header(name, Secret("1"))), at: url)
        let loader = APILoader(GreetingAPI(host: "a.test"), session: session.intercepted(by: interceptor))
        let error = await #expect(throws: ServiceError.self) { try await loader.load("eva") }
        #expect(error?.code == .encoding && session.recorded.isEmpty)
    }

    @Test func `body, timeout and cache policy are moved out of URLRequest`() throws {
        var head = URLRequest(url: try #require(URL(string: "http://a.test/")))
        head.httpMethod = "POST"
        head.httpBody = Data("x".utf8)
        head.timeoutInterval = 1.5
        head.cachePolicy = .reloadIgnoringLocalCacheData
        let request = try APIRequest(head)
        #expect(request.head.httpBody == nil && request.body == .data(Data("x".utf8)))
        #expect(request.options.idleTimeout == .milliseconds(1_500))
        #expect(request.options.cachePolicy == .reloadIgnoringLocalCacheData)
        #expect(request.head.timeoutInterval == 60 && request.head.cachePolicy == .useProtocolCachePolicy)
        var options = RequestOptions()
        options.idleTimeout = .seconds(9)
        #expect(try APIRequest(head, options: options).options.idleTimeout == .seconds(9))
    }

    @Test(arguments: [
        (0.0, Duration.seconds(60)), (-1.0, .seconds(60)), (0.25, .milliseconds(250)), (60.0, .seconds(60)),
        (1e300, .seconds(86_400)), (.infinity, .seconds(86_400)), (.nan, .seconds(60)),
    ])
    func `any timeout of a URLRequest becomes a valid duration`(seconds: Double, expected: Duration) throws {
        var head = URLRequest(url: try #require(URL(string: "http://a.test/")))
        head.timeoutInterval = seconds
        #expect(try APIRequest(head).options.idleTimeout == expected)
    }

    @Test func `a body stream of a URLRequest is rejected`() throws {
        var head = URLRequest(url: try #require(URL(string: "http://a.test/")))
        head.httpBodyStream = InputStream(data: Data("x".utf8))
        let error = #expect(throws: ServiceError.self) { try APIRequest(head) }
        #expect(error?.code == .encoding)
    }

    enum TenantKey: RequestOptionKey { static let defaultValue: String? = nil }

    @Test func `options store custom values`() {
        var options = RequestOptions()
        #expect(options[TenantKey.self] == nil)
        options[TenantKey.self] = "north"
        #expect(options[TenantKey.self] == "north")
    }
}
