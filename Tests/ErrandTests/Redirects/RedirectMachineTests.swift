import Errand
import TestSupport
import Testing

/// Returns the head of a redirect response.
func redirect(_ status: Int, _ locations: String..., from url: URL) -> ResponseHead {
    let headers = HeaderFields(locations.map { HeaderFields.Field("Location", $0) })
    return ResponseHead(status: status, headers: headers, url: url)
}

@Suite struct RedirectMachineTests {
    /// A call and the redirects that it receives. `asked` is the request after each of them, or the outcome.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var method = "GET"
        var url = "http://a.test/b/c"
        var policy = RedirectInterceptor.Policy.follow
        var body = RequestBody.none
        let heads: [(status: Int, location: String?)]
        let asked: [String]
        var testDescription: String { name }

        func sending(_ body: RequestBody) -> Row {
            var row = self
            row.body = body
            return row
        }

        init(
            _ name: String, _ method: String = "GET", _ url: String = "http://a.test/b/c",
            _ policy: RedirectInterceptor.Policy = .follow, heads: [(Int, String?)], _ asked: String...
        ) {
            (self.name, self.method, self.url, self.policy, self.asked) = (name, method, url, policy, asked)
            self.heads = heads.map { (status: $0.0, location: $0.1) }
        }
    }

    static let downgrade = "the redirect leads from https to http: set allowsDowngrade in its policy to follow it"
    static let userInfo = "expected a Location without user information"
    static let lax = RedirectInterceptor.Policy(allowsDowngrade: true)

    static let again =
        "the redirect requires the body again, but the body is a single-use stream: pass one that can be opened again"
    static let once = RequestBody.stream(once: AsyncParts([]))

    /// Bodies that can be sent again, and one that cannot.
    static let bodies: [Row] = [
        Row("307, a file", "PUT", heads: [(307, "/x")], "PUT http://a.test/x").sending(.file(URL(filePath: "/f"))),
        Row("308, a stream", "PUT", heads: [(308, "/x")], "PUT http://a.test/x").sending(.stream { AsyncParts([]) }),
        Row("307, once", "POST", heads: [(307, "/x")], again).sending(once),
        Row("308, once", "POST", heads: [(308, "/x")], again).sending(once),
        Row("302, once", "PUT", heads: [(302, "/x")], again).sending(once),
        Row("302, once, dropped", "POST", heads: [(302, "/x")], "GET http://a.test/x").sending(once),
        Row("303, once, dropped", "PUT", heads: [(303, "/x")], "GET http://a.test/x").sending(once),
        Row("manual, once", "PUT", "http://a.test/", .manual, heads: [(307, "/x")], "response").sending(once),
    ]

    static let rows: [Row] = [
        Row("2xx with a Location", heads: [(201, "/x")], "response"),
        Row("no Location", heads: [(302, nil)], "response"),
        Row("300", heads: [(300, "/x")], "response"), Row("304", heads: [(304, "/x")], "response"),
        Row("305", heads: [(305, "/x")], "response"), Row("306", heads: [(306, "/x")], "response"),
        Row("309", heads: [(309, "/x")], "response"), Row("400", heads: [(400, "/x")], "response"),
        Row(
            "a chain", heads: [(301, "d"), (308, "/e?f"), (200, nil)], "GET http://a.test/b/d", "GET http://a.test/e?f",
            "response"),
        Row("manual", "GET", "http://a.test/", .manual, heads: [(302, "/x")], "response"),
        Row(
            "error", "GET", "http://a.test/", .error, heads: [(302, "/x")],
            "unexpected redirect: the redirect policy of the request is .error"),
        Row("error without Location", "GET", "http://a.test/", .error, heads: [(302, nil)], "response"),
        Row(
            "none allowed", "GET", "http://a.test/", .follow(upTo: 0), heads: [(302, "/x")],
            "expected at most 0 redirects, found more"),
        Row("https to http", "GET", "https://a.test/", heads: [(302, "http://a.test/x")], downgrade),
        Row("HTTPS to http", "GET", "HTTPS://a.test/", heads: [(302, "http://a.test/x")], downgrade),
        Row("https to HTTP", "GET", "https://a.test/", heads: [(302, "HTTP://a.test/x")], downgrade),
        Row("https to http on 443", "GET", "https://a.test/", heads: [(302, "http://a.test:443/x")], downgrade),
        Row(
            "up and down", heads: [(302, "https://a.test/x"), (302, "http://a.test/y")], "GET https://a.test/x",
            downgrade),
        Row("downgrades", "GET", "https://a.test/", lax, heads: [(302, "http://a.test/x")], "GET http://a.test/x"),
        Row("relative stays https", "GET", "https://a.test/", heads: [(302, "//b.test/x")], "GET https://b.test/x"),
        Row("ftp", heads: [(302, "ftp://a.test/x")], "expected the scheme http or https, found ftp"),
        Row("javascript", heads: [(302, "javascript:alert(1)")], "expected the scheme http or https, found javascript"),
        Row("file", heads: [(302, "file:///etc/passwd")], "expected the scheme http or https, found file"),
        Row("data", heads: [(302, "data:,x")], "expected the scheme http or https, found data"),
        Row(
            "long scheme", heads: [(302, "abcdefghijklmnopqrst:x")],
            "expected the scheme http or https, found abcdefghijklmnop…"
        ),
        Row("no host", heads: [(302, "http:///x")], "invalid URL: expected a host"),
        Row("http:x", heads: [(302, "http:x")], "invalid URL: expected a host"),
        Row("empty authority", heads: [(302, "//")], "invalid URL: expected a host"),
        Row("port 0", heads: [(302, "http://a.test:0/")], "invalid port in the URL: expected 1 to 65535"),
        Row("port 70000", heads: [(302, "http://a.test:70000/")], "invalid port in the URL: expected 1 to 65535"),
        Row("port x", heads: [(302, "http://a.test:x/")], "invalid Location: expected a valid URL (RFC 3986)"),
        Row("open bracket", heads: [(302, "http://[")], "invalid Location: expected a valid URL (RFC 3986)"),
        Row("user", heads: [(302, "http://eva@b.test/")], userInfo),
        Row("password", heads: [(302, "//eva:pw@a.test/")], userInfo),
        Row("empty user", heads: [(302, "http://@a.test/")], userInfo),
        Row("hidden user", heads: [(302, "http://a.test\\@b.test/")], userInfo),
        Row("an at sign in the path", heads: [(302, "/@eva?a@b")], "GET http://a.test/@eva?a@b"),
        Row("user of the call", "GET", "http://eva:pw@a.test/", heads: [(302, "/x")], "GET http://eva:pw@a.test/x"),
        Row("user, another host", "GET", "http://eva:pw@a.test/", heads: [(302, "//b.test/x")], "GET http://b.test/x"),
        Row(
            "the same URL", heads: [(302, "c"), (307, "c"), (200, nil)], "GET http://a.test/b/c",
            "GET http://a.test/b/c", "response"),
        Row("the same URL with a fragment", heads: [(302, "#x")], "GET http://a.test/b/c#x"),
        Row(
            "the same URL up to the limit", "GET", "http://a.test/b/c", .follow(upTo: 2),
            heads: [(302, "c"), (302, "c"), (302, "c")], "GET http://a.test/b/c", "GET http://a.test/b/c",
            "expected at most 2 redirects, found more"),
        Row("an earlier URL", heads: [(302, "/d"), (302, "/b/c")], "GET http://a.test/d", "GET http://a.test/b/c"),
        Row("an empty Location", heads: [(302, "")], "response"),
        Row("a blank Location", heads: [(302, " \t ")], "response"),
        Row("an empty Location that is not allowed", "GET", "http://a.test/", .error, heads: [(302, "")], "response"),
        Row("a comma and a space", heads: [(302, "/a, b")], "GET http://a.test/a,%20b"),
        Row(
            "the same URL after 303", "POST", heads: [(303, "c"), (303, "c")], "GET http://a.test/b/c",
            "GET http://a.test/b/c"),
        Row("other query", heads: [(302, "?1"), (302, "?2")], "GET http://a.test/b/c?1", "GET http://a.test/b/c?2"),
        Row(
            "the fragment is kept", "GET", "http://a.test/#f", heads: [(302, "x"), (302, "y#g"), (302, "z")],
            "GET http://a.test/x#f", "GET http://a.test/y#g", "GET http://a.test/z#g"),
        Row("empty fragment", "GET", "http://a.test/#f", heads: [(302, "x#")], "GET http://a.test/x#"),
    ]

    @Test(arguments: rows + bodies)
    func `each redirect is handled by the rules`(row: Row) throws {
        var head = URLRequest(url: try #require(URL(string: row.url)))
        head.httpMethod = row.method
        var request = APIRequest(head: head, body: row.body)
        request.options.redirects = row.policy
        let call = request.summary
        var machine = RedirectMachine(request)
        for (head, expected) in zip(row.heads, row.asked) {
            var given = redirect(head.status, from: try #require(request.head.url))
            if let location = head.location { given = redirect(head.status, location, from: given.url) }
            do throws(ServiceError) {
                let next = try machine.step(after: given)
                let sent = next.map { "\($0.head.httpMethod ?? "") \($0.head.url?.absoluteString ?? "")" }
                #expect(sent ?? "response" == expected)
                request = next ?? request
            } catch {
                #expect(error.code == .redirect && error.reason == expected)
                #expect(error.response == given && error.request == call)
            }
        }
        #expect(row.heads.count == row.asked.count)
    }

    @Test(arguments: [(65_536, true), (65_537, false)])
    func `a Location of more than 64 kB is rejected`(length: Int, isRead: Bool) throws {
        let url = try #require(URL(string: "http://a.test/"))
        var machine = RedirectMachine(APIRequest(head: URLRequest(url: url), body: .none))
        let head = redirect(
            302, "/" + String(repeating: "é", count: (length - 1) / 2) + (length % 2 == 0 ? "x" : ""), from: url)
        if isRead {
            #expect(try machine.step(after: head) != nil)
        } else {
            let error = #expect(throws: ServiceError.self) { try machine.step(after: head) }
            #expect(error?.reason == "expected a Location of at most 65536 bytes, found more")
        }
    }

    struct Lines: Sendable {
        let locations: [String]
        var folds = false
        /// The path of the next request. `nil` if the redirect is refused.
        let path: String?
    }

    @Test(arguments: [
        Lines(locations: ["/x", "/x"], path: "/x"), Lines(locations: ["/x", "/y"], path: nil),
        Lines(locations: ["/x", ""], path: nil), Lines(locations: ["", "/x"], path: nil),
        Lines(locations: ["/a, b"], path: "/a,%20b"), Lines(locations: ["/a, b", "/a, b"], path: "/a,%20b"),
        Lines(locations: ["/a, b", "/a"], path: nil), Lines(locations: ["/x, /x"], path: "/x,%20/x"),
        Lines(locations: ["/x, /x"], folds: true, path: "/x"), Lines(locations: ["/x, /y"], folds: true, path: nil),
        Lines(locations: ["/a,b"], folds: true, path: "/a,b"),
    ])
    func `two different Location headers are rejected`(row: Lines) throws {
        let url = try #require(URL(string: "http://a.test/"))
        let request = APIRequest(head: URLRequest(url: url), body: .none)
        var machine = RedirectMachine(request, foldsDuplicates: row.folds)
        let headers = HeaderFields(row.locations.map { HeaderFields.Field("Location", $0) })
        let head = ResponseHead(status: 302, headers: headers, url: url)
        if let path = row.path {
            let next = try machine.step(after: head)
            #expect(next?.url?.path(percentEncoded: true) == path)
        } else {
            let error = #expect(throws: ServiceError.self) { try machine.step(after: head) }
            #expect(error?.code == .redirect && error?.reason == "expected one Location header, found several")
        }
    }

    @Test(arguments: ["http:/.//@evil.test/x", "http:/..//evil.test/x", "http:.//evil.test/"])
    func `dot segments cannot introduce a host`(location: String) throws {
        let url = try #require(URL(string: "http://a.test/b/c?d#e"))
        var machine = RedirectMachine(APIRequest(head: URLRequest(url: url), body: .none))
        let error = #expect(throws: ServiceError.self) { try machine.step(after: redirect(302, location, from: url)) }
        #expect(error?.code == .redirect)
    }

    @Test func `a random Location never leads to an invalid URL`() async throws {
        let parts = [
            "http:", "https:", "//", "/", "a", "[::1]", "[", "]", "@", ":", "80", "?", "#", "%", "%2e", "..", ".", "\\",
            "é",
            "\u{0}", "\u{301}", " ", "ftp:", "xn--", "\r\n",
        ]
        let url = try #require(URL(string: "http://a.test/b/c?d#e"))
        let request = APIRequest(head: URLRequest(url: url), body: .none)
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix(state: seed)
        for round in 0..<TestEnvironment.rounds(2_000, heavy: 30_000, patient: 200) {
            if round.isMultiple(of: 10) { await Task.yield() }
            let location = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? ""
            }
            var machine = RedirectMachine(request)
            do throws(ServiceError) {
                let next = try machine.step(after: redirect(302, location.joined(), from: url))
                try next?.checkSendable()
                #expect(next?.head.url?.user() == nil && next?.head.url?.password() == nil, "\(location), seed \(seed)")
            } catch {
                #expect(error.code == .redirect, "\(location), seed \(seed)")
            }
        }
    }
}
