import Errand
import Testing

@Suite struct BaseURLJoiningTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let base: BaseURL
        let path: APIPath
        let url: String
        var testDescription: String { "\(base) + \(path)" }

        init(_ base: BaseURL, _ path: APIPath, _ url: String) {
            self.base = base
            self.path = path
            self.url = url
        }
    }

    static let plain = [
        Row("https://a.io", "p", "https://a.io/p"), Row("https://a.io", "/p", "https://a.io/p"),
        Row("https://a.io/", "p", "https://a.io/p"), Row("https://a.io/", "/p", "https://a.io/p"),
        Row("https://a.io/v", "p", "https://a.io/v/p"), Row("https://a.io/v", "/p", "https://a.io/v/p"),
        Row("https://a.io/v/", "p", "https://a.io/v/p"), Row("https://a.io/v/", "/p", "https://a.io/v/p"),
        Row("https://a.io/v//", "/p", "https://a.io/v/p"), Row("https://a.io//", "p", "https://a.io/p"),
        Row("https://a.io//v", "p", "https://a.io//v/p"), Row("https://a.io/v", "p//q", "https://a.io/v/p//q"),
        Row("https://a.io/v", "", "https://a.io/v"), Row("https://a.io/v/", "", "https://a.io/v/"),
        Row("https://a.io", "", "https://a.io/"), Row("https://a.io", "/", "https://a.io/"),
        Row("https://a.io/v", "/", "https://a.io/v/"), Row("https://a.io/v", "p/", "https://a.io/v/p/"),
        Row("https://a.io/v", "p//", "https://a.io/v/p//"), Row("https://[::1]:8080/v", "p", "https://[::1]:8080/v/p"),
        Row("http://a.io:81/v", "p", "http://a.io:81/v/p"), Row("https://bücher.io/ü", "é", unicode),
        Row("https://a.io", "👩‍🚀", "https://a.io/%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80"),
        Row("https://a.io", "cafe\u{301}", "https://a.io/cafe%CC%81"), Row("https://a.io/v", "/\u{301}", combining),
    ]

    static let unicode = "https://xn--bcher-kva.io/%C3%BC/%C3%A9"
    static let combining = "https://a.io/v/%CC%81"

    static let queries = [
        Row("https://a.io/v", "p?x=1", "https://a.io/v/p?x=1"), Row("https://a.io/v", "?x=1", "https://a.io/v?x=1"),
        Row("https://a.io", "?x=1", "https://a.io/?x=1"), Row("https://a.io/v?k=1", "p", "https://a.io/v/p?k=1"),
        Row("https://a.io/v?k=1", "p?x=1", "https://a.io/v/p?k=1&x=1"),
        Row("https://a.io?k=1", "", "https://a.io/?k=1"),
        Row("https://a.io/v?k=1&", "p?x=1", "https://a.io/v/p?k=1&x=1"), Row("https://a.io", "p?", "https://a.io/p?"),
        Row("https://a.io/v?k=1", "p?", "https://a.io/v/p?k=1"), Row("https://a.io/v?k=1", "p?k=2", twice),
        Row("https://a.io?k=1", APIPath("p{?x}", ["x": 1]), "https://a.io/p?k=1&x=1"),
        Row("https://a.io", "p#f", "https://a.io/p#f"), Row("https://a.io?k=1", "p?x#f", "https://a.io/p?k=1&x#f"),
        Row("https://a.io", "p?u=http://b/../c", "https://a.io/p?u=http://b/../c"), Row("https://a.io", "#f", fragment),
        Row("https://a.io", "p?f[a]=é&g=a b+c", "https://a.io/p?f%5Ba%5D=%C3%A9&g=a%20b+c"),
    ]

    static let twice = "https://a.io/v/p?k=1&k=2"
    static let fragment = "https://a.io/#f"

    static let characters = [
        Row("https://a.io", "a:b", "https://a.io/a:b"), Row("https://a.io/v", "x:8080/y", "https://a.io/v/x:8080/y"),
        Row("https://a.io", "/https://b", "https://a.io/https://b"), Row("https://a.io", "x/http://b", proxied),
        Row("https://a.io", "a b", "https://a.io/a%20b"), Row("https://a.io", "a;b=1;c", "https://a.io/a;b=1;c"),
        Row("https://a.io", "@me", "https://a.io/@me"), Row("https://a.io", "a%2Fb%2f", "https://a.io/a%2Fb%2f"),
        Row("https://a.io", "100%", "https://a.io/100%25"),
        Row("https://a.io", "%4%41%zz", "https://a.io/%254%41%25zz"),
        Row("https://a.io", "a\\b", "https://a.io/a%5Cb"), Row("https://a.io", "\\\\b.io", "https://a.io/%5C%5Cb.io"),
        Row("https://a.io", "!$&'()*+,;=:@-._~", "https://a.io/!$&'()*+,;=:@-._~"),
        Row("https://a.io", "\"<>^`|[]", "https://a.io/%22%3C%3E%5E%60%7C%5B%5D"),
        Row("https://a.io", "p/\("a/b?c#d\n")", "https://a.io/p/a%2Fb%3Fc%23d%0A"),
        Row("https://a.io", "\("//b.io")", "https://a.io/%2F%2Fb.io"), Row("https://a.io", "\("http://b")", encoded),
    ]

    static let proxied = "https://a.io/x/http://b"
    static let encoded = "https://a.io/http%3A%2F%2Fb"

    static let dots = [
        Row("https://a.io/v", "a/../b", "https://a.io/v/b"), Row("https://a.io/v", "./a", "https://a.io/v/a"),
        Row("https://a.io/v", ".", "https://a.io/v/"), Row("https://a.io/v", "a/..", "https://a.io/v/"),
        Row("https://a.io/v", "a/.", "https://a.io/v/a/"), Row("https://a.io/v", "a/b/../../c", "https://a.io/v/c"),
        Row("https://a.io/v", "a/%2E%2e/b", "https://a.io/v/b"),
        Row("https://a.io/v", "b/%2e/.%2E/a", "https://a.io/v/a"),
        Row("https://a.io/v", "...", "https://a.io/v/..."), Row("https://a.io/v", "a..b/.c", "https://a.io/v/a..b/.c"),
        Row("https://a.io", "a//../b", "https://a.io/a/b"),
    ]

    @Test(arguments: plain + queries + characters + dots)
    func `a path is appended to its base URL`(row: Row) throws {
        let url = try row.base.url(for: row.path)
        #expect(url.absoluteString == row.url)
        #expect(URL(string: url.absoluteString)?.absoluteString == row.url)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let path: APIPath
        let reason: String
        var testDescription: String { path.description }

        init(_ path: APIPath, _ reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    static let leaves = "expected a path below the base URL, found an absolute URL or '//'"
    static let climbs = "expected a path below the base URL, found too many '..'"

    @Test(arguments: [
        Refusal("https://b.io", leaves), Refusal("HTTP://b.io/x", leaves), Refusal("ftp://b.io", leaves),
        Refusal("//b.io", leaves), Refusal("//", leaves), Refusal("///p", leaves), Refusal("https:b.io", leaves),
        Refusal("http:", leaves), Refusal("a+b.c-d://x", leaves),
        Refusal(APIPath("{+u}", ["u": "https://b.io"]), leaves),
        Refusal(APIPath("/{+u}", ["u": "/b.io"]), leaves), Refusal(APIPath("{/u*}", ["u": ["", "b.io"]]), leaves),
        Refusal("..", climbs), Refusal("../w", climbs), Refusal("/../w", climbs), Refusal("a/../../w", climbs),
        Refusal("%2e%2E/w", climbs), Refusal("./../w", climbs), Refusal("a/../../v/p", climbs),
    ])
    func `a path that leaves its base URL is rejected`(refusal: Refusal) throws {
        let base: BaseURL = "https://a.io/v"
        let error = try #require(throws: ServiceError.self) { try base.url(for: refusal.path) }
        #expect(error.code == .configuration && error.reason == refusal.reason)
    }

    @Test func `a very long path is appended`() throws {
        let long = String(repeating: "é/", count: 100_000)
        let url = try ("https://a.io/v" as BaseURL).url(for: APIPath(template: long))
        #expect(url.absoluteString == "https://a.io/v/" + String(repeating: "%C3%A9/", count: 100_000))
    }

    static let refused = Set(Array(0..<0x20) + Array(0x7F..<0xA0) + "{}".utf8)

    @Test func `every character below 256 yields an equivalent URL or is rejected`() throws {
        let base: BaseURL = "https://a.io/v"
        for code in UInt8.min...UInt8.max {
            let text = "x" + String(Unicode.Scalar(code)) + "y"
            let value = try base.url(for: "p/\(text)?q=\(text)").absoluteString
            #expect(value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && URL(string: value)?.absoluteString == value)
            let literal = try? base.url(for: APIPath(template: "p/\(text)")).absoluteString
            #expect(literal?.hasPrefix("https://a.io/v/p/x") ?? Self.refused.contains(code))
        }
    }
}
