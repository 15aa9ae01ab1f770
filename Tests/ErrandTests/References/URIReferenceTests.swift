import Errand
import Testing

@Suite struct URIReferenceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let reference: String
        let target: String
        let base: String
        var testDescription: String { "\(base) + \(reference)" }

        init(_ reference: String, _ target: String, base: String = "http://a/b/c/d;p?q") {
            self.reference = reference
            self.target = target
            self.base = base
        }
    }

    static let published = {
        let section = ConfigurationVectors.json("rfc/rfc-examples.json")["rfc3986_5_4"] as? [String: Any] ?? [:]
        let cases = section["cases"] as? [[String: String]] ?? []
        return cases.map { Row($0["ref"] ?? "?", $0["target"] ?? "?", base: section["base"] as? String ?? "?") }
    }()

    @Test(arguments: [
        Row("g:h", "g:h"), Row("g", "http://a/b/c/g"), Row("/g", "http://a/g"), Row("//g", "http://g"),
        Row("?y", "http://a/b/c/d;p?y"), Row("#s", "http://a/b/c/d;p?q#s"), Row("", "http://a/b/c/d;p?q"),
        Row("../../../g", "http://a/g"), Row("g?y/../x", "http://a/b/c/g?y/../x"), Row("./g/.", "http://a/b/c/g/"),
        Row("http:g", "http:g"), Row("x", "http://h/x", base: "http://h"), Row("x", "http://h/x", base: "http://h?q#f"),
        Row("//é/ü", "s://é/ü", base: "s:x"), Row("..", "s:", base: "s:x"), Row("a/../b", "s:/b", base: "s:x"),
        Row("/\u{301}/../b", "http://a/b"), Row("a//..//b", "http://a/b/c/a//b"), Row("1a:b", "http://a/b/c/1a:b"),
    ])
    func `a reference resolves as section 5-2 specifies`(row: Row) {
        #expect(URIReference(row.reference).resolved(against: URIReference(row.base)).text == row.target)
    }

    @Test(.enabled(if: ConfigurationVectors.folder != nil, "ERRAND_VECTORS is not set"), arguments: published)
    func `each published example resolves to its target`(row: Row) {
        #expect(URIReference(row.reference).resolved(against: URIReference(row.base)).text == row.target)
    }

    @Test(arguments: [
        Row("?a[]=1&b[x]=2", "http://a/b/c/d;p?a%5B%5D=1&b%5Bx%5D=2"), Row("x[1]", "http://a/b/c/x%5B1%5D"),
        Row("#a#b", "http://a/b/c/d;p?q#a%23b"), Row("//[::1]:8/[", "http://[::1]:8/%5B"),
        Row("a b\"<>|^`{}\\", "http://a/b/c/a%20b%22%3C%3E%7C%5E%60%7B%7D%5C"),
        Row("é?é#é", "http://a/b/c/%C3%A9?%C3%A9#%C3%A9"),
        Row("%zz%4", "http://a/b/c/%25zz%254"), Row("%c3%2f", "http://a/b/c/%c3%2f"),
        Row("a\u{0}\r\n", "http://a/b/c/a%00%0D%0A"),
        Row("!$&'()*+,;=:@", "http://a/b/c/!$&'()*+,;=:@"),
    ])
    func `only characters that a URL cannot contain are encoded`(row: Row) throws {
        #expect(try #require(URL(string: row.base)).resolving(row.reference)?.absoluteString == row.target)
    }

    @Test(arguments: ["http://[", "http://[x", "http://h:x/", "//a@b@c/", "http://h]/"])
    func `an invalid reference does not resolve`(reference: String) throws {
        #expect(try #require(URL(string: "http://a/b")).resolving(reference) == nil)
    }

    @Test(.enabled(if: ConfigurationVectors.folder != nil, "ERRAND_VECTORS is not set"))
    func `all published examples are loaded`() {
        #expect(Self.published.count == 42)
    }

    @Test(arguments: ["", "a", "//", "//h", "s:", "s://u@h:1/p?q?r#f#g", "?", "#", "a:b/c", ":a", "é://x"])
    func `a reference is the concatenation of its components`(text: String) {
        #expect(URIReference(text).text == text)
    }

    @Test(arguments: [
        ("/a/b", "/a/b", false), ("/a/..", "/", false), ("/..", "/", true), ("/a/../../b", "/b", true),
        ("/a/./b/.", "/a/b/", false), ("/a//../b", "/a/b", false), ("/...", "/...", false), ("", "", false),
    ])
    func `a dot segment above the root is reported`(path: String, plain: String, climbs: Bool) {
        #expect(URIReference.removingDotSegments(path) == (plain, climbs))
    }
}
