import Errand
import Testing

/// Parsing of the `Set-Cookie` header (RFC 6265, section 5.2).
@Suite struct SetCookieTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let line: String
        let read: String?
        var testDescription: String { line.count > 80 ? "\(line.prefix(80))…" : line }

        init(_ line: String, _ read: String?) {
            (self.line, self.read) = (line, read)
        }
    }

    private static let long = String(repeating: "x", count: 1_025)

    static let rows: [Row] = [
        Row("a=1", "a=1"), Row("a=", "a="), Row("a=b=c", "a=b=c"), Row(" a\t =  1 \t", "a=1"), Row("a=1;", "a=1"),
        Row(#"a="1 2""#, #"a="1 2""#), Row("a=1, b=2", "a=1, b=2"), Row("ä=ö", "ä=ö"), Row("a=1\tb", "a=1\tb"),
        Row("", nil), Row("a", nil), Row("=1", nil), Row(" =1", nil), Row(";a=1", nil), Row("a; b=1", nil),
        Row("a=1\u{7}", nil), Row("a=1; Path=/\u{7F}", nil), Row("a=1\r\nb=2", nil), Row("a=\u{0}", nil),
        Row("a=1; Secure; HttpOnly", "a=1 secure http-only"), Row("a=1;sEcUrE=no;HTTPONLY", "a=1 secure http-only"),
        Row("a=1; Secure2; SameSite=Lax; ; =x", "a=1"),
        Row("a=1; Domain=B.test", "a=1 domain=B.test"), Row("a=1; domain = .b.test ", "a=1 domain=b.test"),
        Row("a=1; Domain=..b.test", "a=1 domain=.b.test"), Row("a=1; Domain=.", "a=1 domain="),
        Row("a=1; Domain=b.test; Domain=", "a=1 domain=b.test"), Row("a=1; Domain", "a=1"),
        Row("a=1; Domain=b.test; Domain=c.test", "a=1 domain=c.test"), Row("a=1; Domain=\(long)", "a=1"),
        Row("a=1; Path=/b", "a=1 path=/b"), Row("a=1; Path=b", "a=1"), Row("a=1; Path=", "a=1"),
        Row("a=1; Path=/b; Path=/c", "a=1 path=/c"), Row("a=1; Path=/b; Path=c", "a=1"),
        Row(#"a=1; Path="/b""#, "a=1"), Row("a=1; Path=/\(long)", "a=1"), Row("a=1; Path=/ö", "a=1 path=/ö"),
        Row("a=1; Max-Age=60", "a=1 age=60"), Row("a=1; Max-Age=-60", "a=1 age=-60"),
        Row("a=1; max-age=0", "a=1 age=0"),
        Row("a=1; Max-Age=6O", "a=1"), Row("a=1; Max-Age=+6", "a=1"), Row("a=1; Max-Age=-", "a=1"),
        Row("a=1; Max-Age=", "a=1"), Row("a=1; Max-Age=6-0", "a=1"), Row("a=1; Max-Age=٦", "a=1"),
        Row("a=1; Max-Age=60; Max-Age=x", "a=1 age=60"), Row("a=1; Max-Age=60; Max-Age=7", "a=1 age=7"),
        Row("a=1; Max-Age=99999999999999999999", "a=1 age=\(Int.max)"),
        Row("a=1; Max-Age=-99999999999999999999", "a=1 age=\(Int.min)"),
        Row("a=1; Expires=Thu, 01 Jan 1970 00:01:00 GMT", "a=1 expires=60.0"),
        Row("a=1; Expires=01 Jan 1970 00:01:00; expires=never", "a=1 expires=60.0"),
        Row("a=1; Expires=0", "a=1"),
    ]

    private func text(of set: SetCookie) -> String {
        let parts: [String?] = [
            "\(set.name)=\(set.value.reveal())", set.domain.map { "domain=\($0)" }, set.path.map { "path=\($0)" },
            set.maxAge.map { "age=\($0)" }, set.expires.map { "expires=\($0.timeIntervalSince1970)" },
            set.isSecure ? "secure" : nil, set.isHTTPOnly ? "http-only" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }

    @Test(arguments: rows)
    func `a Set-Cookie header is parsed as RFC 6265 requires`(row: Row) {
        #expect(SetCookie(row.line).map(text) == row.read)
    }

    @Test func `descriptions show no cookie value`() throws {
        let set = try #require(SetCookie("sid=s3cr3t"))
        let url = try #require(URL(string: "https://a.test"))
        let cookieURL = try #require(CookieURL(url))
        let cookie = try #require(Cookie(set, from: cookieURL, at: Date(timeIntervalSince1970: 0)))
        var printed = "\(set) \(String(reflecting: set)) \(cookie) \(String(reflecting: cookie))"
        dump(set, to: &printed)
        dump(cookie, to: &printed)
        #expect(printed.contains("sid") && !printed.contains("s3cr3t"))
    }
}
