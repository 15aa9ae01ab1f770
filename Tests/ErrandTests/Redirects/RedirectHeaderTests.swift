import Errand
import Testing

/// The method, body and headers of the next request.
@Suite struct RedirectHeaderTests {
    private func request(_ method: String, _ url: String, _ headers: [String: String], body: String? = nil) throws
        -> APIRequest
    {
        var head = URLRequest(url: try #require(URL(string: url)))
        head.httpMethod = method
        head.allHTTPHeaderFields = headers
        return APIRequest(head: head, body: body.map { .data(Data($0.utf8)) } ?? .none)
    }

    private func next(_ request: APIRequest, _ status: Int, _ location: String) throws -> APIRequest {
        var machine = RedirectMachine(request)
        let url = try #require(request.head.url)
        return try #require(try machine.step(after: redirect(status, location, from: url)))
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let status: Int
        let methods: [String]
        var testDescription: String { "\(status)" }
    }

    static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "PURGE"]

    @Test(arguments: [
        Change(status: 301, methods: ["GET", "HEAD", "GET", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "PURGE"]),
        Change(status: 302, methods: ["GET", "HEAD", "GET", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "PURGE"]),
        Change(status: 303, methods: ["GET", "HEAD", "GET", "GET", "GET", "GET", "GET", "GET", "GET"]),
        Change(status: 307, methods: methods), Change(status: 308, methods: methods),
    ])
    func `a change to GET drops the body and its headers`(row: Change) throws {
        let described = [
            "Content-Encoding", "content-language", "Content-Location", "CONTENT-TYPE", "Content-Length", "Digest",
            "Content-Digest", "Repr-Digest", "Last-Modified", "Content-Disposition", "Expect", "If-Match",
        ]
        let headers = Dictionary(uniqueKeysWithValues: (described + ["Accept", "X-Plain"]).map { ($0, "1") })
        for (method, then) in zip(Self.methods, row.methods) {
            let body: String? = method == "GET" || method == "HEAD" ? nil : "x"
            let first = try request(method, "http://a.test/", headers, body: body)
            let next = try next(first, row.status, "/x")
            #expect(next.head.httpMethod == then)
            let names = Set((next.head.allHTTPHeaderFields ?? [:]).keys.map { $0.lowercased() })
            if method == then {
                #expect(next.body == first.body && names == Set(headers.keys.map { $0.lowercased() }))
            } else {
                #expect(next.body == .none && names == ["accept", "x-plain"])
            }
        }
    }

    struct Move: Sendable, CustomTestStringConvertible {
        let from: String
        let to: String
        let keeps: Bool
        var testDescription: String { "\(from) to \(to)" }

        init(_ from: String, _ to: String, keeps: Bool) {
            (self.from, self.to, self.keeps) = (from, to, keeps)
        }
    }

    /// Headers that stay at the origin: secrets, and headers that the receiver does not need.
    static let kept = [
        "Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key", "x-auth-token", "X-Tenant", "DPoP", "X-Auth-Key",
        "X-CSRF-Token", "Origin", "Referer", "Host", "X-Plain", "X-Request-ID", "Accept-Token", "Content-Signature",
        "If-Secret", "Accepted", "Ifs", "Contents", "Digest", "Last-Modified", "Expect", "Via", "Forwarded",
        "Tracestate", "Idempotency-Key",
    ]
    /// Headers that every origin may see.
    static let carried = [
        "Accept", "accept-language", "Accept-Encoding", "User-Agent", "Range", "If-None-Match", "IF-RANGE",
        "Content-Type", "Content-Digest", "traceparent", "X-Shop",
    ]

    @Test(arguments: [
        Move("http://a.test/", "/x", keeps: true), Move("http://a.test/", "//a.test/x", keeps: true),
        Move("http://a.test/", "http://A.TEST:80/x", keeps: true),
        Move("https://a.test:443/", "https://a.test/x", keeps: true),
        Move("http://a.test/", "http://b.test/", keeps: false),
        Move("http://a.test/", "http://a.test:81/", keeps: false),
        Move("http://a.test/", "https://a.test/", keeps: false),
        Move("https://a.test/", "http://a.test/", keeps: false),
        Move("http://a.test/", "http://a.test.evil.test/", keeps: false),
        Move("http://a.test/", "http://x.a.test/", keeps: false),
        Move("http://a.test/", "http://a.test./", keeps: false),
        Move("http://a.test/", "https://a.test:80/", keeps: false),
    ])
    func `only known and configured headers are sent to another origin`(row: Move) throws {
        let headers = Dictionary(uniqueKeysWithValues: (Self.kept + Self.carried).map { ($0, "1") })
        var first = try request("GET", row.from, headers)
        first.options.redirects.allowsDowngrade = true
        first.options.redirects.crossOriginHeaders = ["x-shop"]
        let next = try next(first, 302, row.to)
        let expected = row.keeps ? Self.kept + Self.carried : Self.carried
        let names = Set((next.head.allHTTPHeaderFields ?? [:]).keys.map { $0.lowercased() })
        #expect(names == Set(expected.map { $0.lowercased() }))
    }

    @Test(arguments: ["Authorization", "Cookie", "X-Api-Key", "X-Tenant", "Host", "Proxy-Authorization", "DPoP"])
    func `a named secret or Host is not sent to another origin`(name: String) throws {
        var first = try request("GET", "http://a.test/", [name: "b.test", "X-Shop": "1"])
        first.options.redaction.hide("x_tenant")
        first.options.redirects.crossOriginHeaders = [name, name.lowercased(), "X-SHOP"]
        #expect(try next(first, 302, "http://b.test/").head.allHTTPHeaderFields == ["X-Shop": "1"])
    }

    @Test func `a dropped secret is not restored in any spelling`() throws {
        let first = try request("GET", "http://a.test/", ["authorization": "1", "AUTHORIZATION": "2", "Accept": "3"])
        var machine = RedirectMachine(first)
        let url = try #require(first.head.url)
        let away = try #require(try machine.step(after: redirect(307, "http://b.test/", from: url)))
        #expect(away.head.allHTTPHeaderFields == ["Accept": "3"])
        let back = try #require(try machine.step(after: redirect(307, "http://a.test/x", from: url)))
        #expect(back.head.allHTTPHeaderFields == ["Accept": "3"])
    }

    struct Bound: Sendable, CustomTestStringConvertible {
        let header: String
        let location: String
        /// The reason of the error. `nil` if the redirect is followed.
        var reason: String?
        var testDescription: String { "\(header) to \(location)" }
    }

    static let secretAdvice = "set it on each request instead"
    static let plainAdvice =
        "name it in RedirectInterceptor.Policy.crossOriginHeaders, or set it on each request instead"

    static func bound(_ name: String, _ advice: String) -> String {
        "the redirect leads to another origin, and the session adds \(name) to every request: \(advice)"
    }

    @Test(arguments: [
        Bound(header: "X-Api-Key", location: "http://b.test/", reason: Self.bound("X-Api-Key", Self.secretAdvice)),
        Bound(header: "X-Api-Key", location: "/x"),
        Bound(header: "X-Tenant", location: "http://b.test/", reason: Self.bound("X-Tenant", Self.secretAdvice)),
        Bound(header: "X-App", location: "http://b.test/", reason: Self.bound("X-App", Self.plainAdvice)),
        Bound(header: "X-App", location: "/x"), Bound(header: "Accept-Language", location: "http://b.test/"),
        Bound(header: "User-Agent", location: "http://b.test/"), Bound(header: "x-shop", location: "http://b.test/"),
    ])
    func `a header that the session adds prevents cross-origin redirects`(row: Bound) throws {
        var first = try request("GET", "http://a.test/", [:])
        first.options.redaction.hide("X-Tenant")
        first.options.redirects.crossOriginHeaders = ["X-Shop"]
        let headers = HeaderFields([HeaderFields.Field("Accept", "1"), HeaderFields.Field(row.header, "s3cr3t")])
        var machine = RedirectMachine(first, sessionHeaders: headers)
        let head = redirect(302, row.location, from: try #require(first.head.url))
        if let reason = row.reason {
            let error = #expect(throws: ServiceError.self) { try machine.step(after: head) }
            #expect(error?.code == .redirect && error?.reason == reason)
        } else {
            #expect(try machine.step(after: head) != nil)
        }
    }

    @Test func `options are passed on unchanged`() throws {
        var first = try request("POST", "http://a.test/", [:], body: "x")
        first.options.idleTimeout = .seconds(7)
        first.options.delivery = .buffered(upTo: 9)
        first.options.deadline = .after(.seconds(3))
        let next = try next(first, 303, "http://b.test/")
        #expect(next.options.idleTimeout == .seconds(7) && next.options.delivery == .buffered(upTo: 9))
        #expect(next.options.deadline?.instant == first.options.deadline?.instant)
        #expect(next.options.redirects == .follow)
    }
}
