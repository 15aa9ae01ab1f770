import Errand
import Testing

@Suite struct BaseURLTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let base: BaseURL
        let url: String
        var testDescription: String { url }

        init(_ base: BaseURL, _ url: String) {
            self.base = base
            self.url = url
        }
    }

    static let made = URL(string: "http://Made.example:81/r/?k=v")

    @Test(arguments: [
        Row("https://a.example", "https://a.example/"), Row("a.example/v2", "https://a.example/v2"),
        Row("localhost:8080", "https://localhost:8080/"), Row("HTTP://A.Example/V", "http://a.example/V"),
        Row("https://a.example/v2/", "https://a.example/v2/"), Row("https://a.example./", "https://a.example./"),
        Row("https://a.example:443/", "https://a.example:443/"), Row("https://a.example?k=v", "https://a.example/?k=v"),
        Row("https://a.example/v2?", "https://a.example/v2"), Row("https://a.example/a//b", "https://a.example/a//b"),
        Row("https://a.example/1/../2/.", "https://a.example/2/"), Row("https://a.example/ü b%41%", uBase),
        Row("https://a.example/x?u=http://b", "https://a.example/x?u=http://b"), Row("a.example/x?u=http://b", deep),
        Row("https://127.0.0.1", "https://127.0.0.1/"), Row("https://[::1]:8080", "https://[::1]:8080/"),
        Row("https://[2001:DB8::192.0.2.1]/x", "https://[2001:db8::192.0.2.1]/x"), Row("https://[::]", "https://[::]/"),
        Row("https://[1:2:3:4:5:6:7::]", "https://[1:2:3:4:5:6:7::]/"),
        Row("https://[1:2:3:4:5:6:7:8]", "https://[1:2:3:4:5:6:7:8]/"), Row("[::1]", "https://[::1]/"),
        Row("https://bücher.example", "https://xn--bcher-kva.example/"), Row("https://😀.la", "https://xn--e28h.la/"),
        Row("https://BU\u{308}CHER.example", "https://xn--bcher-kva.example/"), Row("https://faß.de", eszett),
        Row("https://例え.jp:81/x", "https://xn--r8jz45g.jp:81/x"), Row("https://a_b.example", "https://a_b.example/"),
        Row(BaseURL(domain: "a.example"), "https://a.example/"), Row(BaseURL(domain: "a", route: ""), "https://a/"),
        Row(BaseURL(subdomain: "x.y", domain: "a.example", port: 1, route: "v/w/"), "https://x.y.a.example:1/v/w/"),
        Row(BaseURL(scheme: "HTTP", subdomain: "", domain: "[::1]", route: "/v"), "http://[::1]/v"),
        Row(made.map { BaseURL($0) } ?? "x", "http://made.example:81/r/?k=v"),
    ])
    func `a base URL is parsed and normalized`(row: Row) throws {
        #expect(try row.base.url(for: "").absoluteString == row.url)
        try row.base.validate()
    }

    static let uBase = "https://a.example/%C3%BC%20b%41%25"
    static let deep = "https://a.example/x?u=http://b"
    static let eszett = "https://xn--fa-hia.de/"

    @Test(arguments: [
        "", " ", "/", "//a.example", "https://", "https:///x", "https:a.example", "http:/a.example", "ftp://a.example",
        "file:///etc", "mailto:a@b.example", "https://user@a.example", "https://u:p@a.example/v2", "https://@a.example",
        "https://a.example#f", "https://a.example/v#", "https://a.example:", "https://a.example:0", "https://a:65536",
        "https://a.example:x", "https://a.example:-1", "https://a:99999999999999999999", "https://a.example:1:2",
        "https://a b.example", "https://a%20b.example", "https://a..example", "https://.example", "https://.",
        "https://a\\b.example", "https://a\\@b", "https://::1", "https://[::1", "https://[::1]x", "https://[::1]:",
        "https://[]", "https://[::g]", "https://[1:2]", "https://[1::2::3]", "https://[:::]", "https://[::1.2.3.256]",
        "https://[1:2:3:4:5:6:7:8:9]", "https://[1:2:3:4:5:6:7::8]", "https://[::12345]", "https://[fe80::1%25en0]",
        "https://[v1.a:b]",
        "https://[\u{301}::1]",
        "https://a℀b.example", "https://／.example", "https://é%40b.example", "https://é.example@b",
        "https://é..example",
        "https://{host}/v2", "https://a.example/{v}", "https://a.example/../x", "https://a.example/%2e%2e/x",
        "https://a.example/\n", "https://a.example/v2 ", "\thttps://a.example", "https://a.example\u{301}\u{0}",
        "https://a,b", "https://é,b", "https://!", "https://*.example", "://a", "1https://a",
        "https://\u{301}a.example",
    ])
    func `an invalid base URL is rejected`(text: String) throws {
        let error = try #require(throws: ServiceError.self) { try BaseURL(validating: text) }
        #expect(error.code == .configuration && error.reason.hasPrefix("invalid base URL: "))
        #expect(BaseURL(stringLiteral: text).description == "‹invalid base URL›")
    }

    @Test(arguments: [
        BaseURL(scheme: "ftp", domain: "a"), BaseURL(scheme: "", domain: "a"), BaseURL(domain: ""),
        BaseURL(domain: "::1"),
        BaseURL(subdomain: "x", domain: ""), BaseURL(subdomain: "x.", domain: "a"), BaseURL(domain: "a/b"),
        BaseURL(subdomain: "evil/", domain: "a"), BaseURL(subdomain: "u@", domain: "a"), BaseURL(domain: "a:1"),
        BaseURL(domain: "a", port: 0), BaseURL(domain: "a", port: -1), BaseURL(domain: "a", port: .max),
        BaseURL(subdomain: "x", domain: "[::1]"), BaseURL(domain: "a", route: "x?y"),
        BaseURL(domain: "a", route: "x#y"),
        BaseURL(domain: "a", route: "../x"), BaseURL(domain: "a", route: "x\ny"), BaseURL(domain: "é?", route: "x"),
    ])
    func `invalid components are rejected when the base URL is used`(base: BaseURL) throws {
        let error = try #require(throws: ServiceError.self) { try base.url(for: "x") }
        #expect(error.code == .configuration)
        #expect(throws: ServiceError.self) { try base.validate() }
    }

    @Test(arguments: [
        ("127.0.0.1:8765", "a colon; pass the scheme and the port as `scheme:` and `port:`"),
        ("https://a.example", "a colon; pass the scheme and the port as `scheme:` and `port:`"),
        ("a/b", "\"/\""), ("a\n", "a space or a control character"),
        ("a..b", "an empty label"),
    ]) func `the error describes an invalid host`(domain: String, reason: String) throws {
        let error = try #require(throws: ServiceError.self) { try BaseURL(domain: domain).validate() }
        #expect(error.reason == "invalid base URL: expected a valid host, found \(reason)")
    }

    @Test(arguments: ["::1", "2001:db8::1:8080", "fe80:1:2:3"]) func `an IPv6 address without brackets is reported`(
        domain: String
    ) throws {
        let error = try #require(throws: ServiceError.self) { try BaseURL(domain: domain).validate() }
        #expect(error.reason == "invalid base URL: expected an IPv6 address in brackets")
    }

    @Test(arguments: ["x", "/x", "a.example", "file:///x", "mailto:a@b", "//u:p@a.example", "https://a#f"])
    func `a URL that is not a base URL is rejected on use`(text: String) throws {
        let base = BaseURL(try #require(URL(string: text)))
        #expect(throws: ServiceError.self) { try base.url(for: "x") }
    }

    @Test func `base URLs with equal components are equal`() {
        #expect("HTTPS://A.example/v" as BaseURL == BaseURL(domain: "a.example", route: "v"))
        #expect("https://a.example" as BaseURL != "https://b.example")
    }

    @Test func `descriptions and errors do not reveal secrets`() throws {
        let keyed: BaseURL = "https://a.example/v2?api_key=hidden"
        #expect(keyed.description == "https://a.example/v2?api_key=‹redacted›")
        let refused: BaseURL = "https://me:hidden@a.example"
        var dumped = ""
        debugPrint([keyed, refused], dump([keyed, refused], to: &dumped), to: &dumped)
        let error = try #require(throws: ServiceError.self) { try refused.validate() }
        #expect(![dumped, "\(refused)", "\(error)", error.reason].contains { $0.contains("hidden") })
    }
}
