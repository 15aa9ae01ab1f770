import Errand
import Testing

/// Domain matching, path matching and the default path (RFC 6265, sections 5.1.2 to 5.1.4).
@Suite struct CookieURLTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let url: String
        let other: String
        let result: Bool
        var testDescription: String { "\(url) \(other) \(result)" }

        init(_ url: String, _ other: String, _ result: Bool) {
            (self.url, self.other, self.result) = (url, other, result)
        }
    }

    private func url(_ text: String) throws -> CookieURL {
        let url = try #require(URL(string: text))
        return try #require(CookieURL(url))
    }

    @Test(arguments: [
        Row("http://b.test", "b.test", true), Row("http://a.b.test", "b.test", true),
        Row("http://a.b.test", "test", true), Row("http://A.B.test:80", "b.test", true),
        Row("http://ab.test", "b.test", false), Row("http://b.test", "a.b.test", false),
        Row("http://b.test", "c.test", false), Row("http://b.test", "", false), Row("http://b.test", ".test", false),
        Row("http://b.test.", "b.test", false), Row("http://b.test.", "b.test.", true),
        Row("http://b.test.", "", false),
        Row("http://1.2.3.4", "1.2.3.4", true), Row("http://1.2.3.4", "3.4", false),
        Row("http://1.2.3.4", "2.3.4", false), Row("http://0x7f.0x1", "0x1", false), Row("http://a.12", "12", false),
        Row("http://a.0x", "0x", false), Row("http://a.0xg", "0xg", true),
        Row("http://[::1]", "[::1]", true), Row("http://[::1.2.3.4]", "3.4]", false),
    ])
    func `a host matches only itself and its parent domains`(row: Row) throws {
        #expect(try url(row.url).isWithin(domain: row.other) == row.result)
    }

    @Test(arguments: [
        Row("http://h/a", "/a", true), Row("http://h/a/", "/a", true), Row("http://h/a/b", "/a", true),
        Row("http://h/a/b", "/a/", true), Row("http://h/a", "/", true), Row("http://h", "/", true),
        Row("http://h?/a", "/", true), Row("http://h/ab", "/a", false), Row("http://h/a", "/a/", false),
        Row("http://h/", "/a", false), Row("http://h/A", "/a", false), Row("http://h/a%2Fb", "/a", false),
        Row("http://h/a?b=/c", "/c", false),
    ])
    func `a path matches only itself and its parent paths`(row: Row) throws {
        #expect(try url(row.url).isWithin(path: row.other) == row.result)
    }

    @Test(arguments: [
        ("http://h", "/"), ("http://h/", "/"), ("http://h/a", "/"), ("http://h/a/", "/a"), ("http://h/a/b", "/a"),
        ("http://h/a/b/?c=/d/#/e/", "/a/b"), ("http://h/%20/b", "/%20"), ("http://h//a", "/"), ("http://h?/a/b", "/"),
    ])
    func `the default path is the directory of the URL path`(text: String, path: String) throws {
        #expect(try url(text).defaultPath == path)
    }

    @Test(arguments: [
        "http://\(String(repeating: "a", count: 256)).test", "http://a%20b.test", "mailto:a@b.test", "/a",
        "http://a..test",
    ])
    func `a URL without a valid host has no cookies`(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(CookieURL(url) == nil)
    }
}
