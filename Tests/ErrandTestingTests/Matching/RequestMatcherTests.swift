import Errand
import ErrandTesting
import Testing

@Suite struct RequestMatcherTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let matcher: RequestMatcher
        var method = "GET"
        var url = "https://api.test/v1/photos?page=2&per_page=5"
        var headers: [String: String] = [:]
        var body: String?
        var mismatches: [String] = []
        var testDescription: String { "\(matcher) for \(method) \(url)" }

        var request: APIRequest {
            get throws {
                var head = URLRequest(url: try #require(URL(string: url)))
                head.httpMethod = method
                head.allHTTPHeaderFields = headers
                return APIRequest(head: head, body: body.map { .data(Data($0.utf8)) } ?? .none)
            }
        }
    }

    static let rows: [Row] = [
        Row(matcher: .any),
        Row(matcher: RequestMatcher(.get, "/v1/photos")),
        Row(matcher: RequestMatcher(.get, "/v1/photos", host: "API.test", query: ["page": "2"])),
        Row(matcher: RequestMatcher(.post), mismatches: ["method: expected POST, got GET"]),
        Row(
            matcher: RequestMatcher(nil, "/v1/photos/", host: "b.test"),
            mismatches: ["host: expected b.test, got api.test", "path: expected /v1/photos/, got /v1/photos"]),
        Row(
            matcher: RequestMatcher(query: ["page": "3", "q": "x"]),
            mismatches: ["query page: expected 3, got 2", "query q: expected x, got none"]),
        Row(
            matcher: RequestMatcher(query: ["q": "\u{E9}"]), url: "http://x/?q=e%CC%81",
            mismatches: ["query q: expected \u{E9}, got e\u{301}"]),
        Row(matcher: RequestMatcher(query: ["q": "a b&c"]), url: "http://x/?q=a%20b%26c"),
        Row(matcher: RequestMatcher(nil, "/photos/*/likes"), url: "http://x/photos/a%2Fb/likes"),
        Row(
            matcher: RequestMatcher(nil, "/photos/*"), url: "http://x/photos/a/likes",
            mismatches: ["path: expected /photos/*, got /photos/a/likes"]),
        Row(matcher: RequestMatcher(nil, "/"), url: "http://x"),
        Row(matcher: RequestMatcher(headers: ["x-tenant": "north"]), headers: ["X-Tenant": "north", "X-More": "1"]),
        Row(matcher: RequestMatcher(body: .json(#"{"b":[1],"a":"x"}"#)), body: #"{ "a": "x", "b": [1] }"#),
        Row(matcher: RequestMatcher(body: .json("7")), body: "7"),
        Row(
            matcher: RequestMatcher(body: .json(#"{"a":1}"#)), body: #"{"a":2}"#,
            mismatches: [#"body: expected {"a":1}, got {"a":2}"#]),
        Row(matcher: RequestMatcher(body: .json("{}")), mismatches: ["body: expected {}, got none"]),
        Row(
            matcher: RequestMatcher(body: .json("{")), body: "{",
            mismatches: ["body: expected ‹1 bytes›, got ‹1 bytes›"]),
        Row(matcher: RequestMatcher(body: .text("a=1")), body: "a=1"),
        Row(matcher: RequestMatcher(body: .data(Data([0x61]))), body: "a"),
        Row(matcher: RequestMatcher(body: .containing("or")), body: "world"),
        Row(matcher: RequestMatcher(body: .some(.none)), body: "x", mismatches: ["body: expected none, got ‹1 bytes›"]),
    ]

    @Test(arguments: rows)
    func `every condition must be met`(row: Row) throws {
        #expect(row.matcher.mismatches(try row.request) == row.mismatches)
        #expect(row.matcher.matches(try row.request) == row.mismatches.isEmpty)
    }

    @Test func `a multipart body is matched by its bytes`() throws {
        var request = try Row(matcher: .any, method: "POST").request
        request.body = .multipart(["title": "Ada"])
        #expect(RequestMatcher(body: .containing("name=\"title\"\r\n\r\nAda\r\n")).matches(request))
        request.body = .multipart([:], files: [.file(URL(filePath: "/f"), name: "f")])
        let mismatches = RequestMatcher(body: .some(.none)).mismatches(request)
        #expect(mismatches == ["body: expected none, got ‹a multipart body with 1 part›"])
    }

    @Test func `secrets are masked`() throws {
        let matcher = RequestMatcher(
            .get, "/me", query: ["access_token": "x,s3cret&s3cret"], headers: ["Authorization": "Bearer s3cret"],
            body: .json(#"{"password":"s3cret"}"#))
        let row = Row(
            matcher: matcher, url: "http://x/me?access_token=0ther", headers: ["Authorization": "Bearer 0ther"],
            body: #"{"password":"0ther"}"#)
        let shown = "\(matcher) \(matcher.mismatches(try row.request))"
        #expect(!shown.contains("s3cret") && !shown.contains("0ther"))
        #expect(matcher.mismatches(try row.request).count == 3)
    }
}
