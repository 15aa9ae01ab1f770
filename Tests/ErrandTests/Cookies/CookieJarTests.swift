import Errand
import ErrandTesting
import Testing

@Suite struct CookieJarTests {
    enum Step: Sendable {
        /// A response from a URL sets these cookies.
        case set(String, [String])
        /// A request to a URL has this `Cookie` header.
        case send(String, String?)
        case wait(Int)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: [Step]
        var testDescription: String { name }

        init(_ name: String, _ steps: Step...) {
            (self.name, self.steps) = (name, steps)
        }
    }

    private let clock = ManualClock()
    private let jar = CookieJar()

    private func play(_ steps: [Step]) throws {
        for step in steps {
            switch step {
            case .set(let url, let lines): jar.save(lines, from: try #require(URL(string: url)), at: clock.date)
            case .send(let url, let header): #expect(try sent(to: url) == header, "\(url)")
            case .wait(let seconds): clock.advance(by: .seconds(seconds))
            }
        }
    }

    private func sent(to url: String) throws -> String? {
        jar.cookies(for: try #require(URL(string: url)), at: clock.date)
    }

    /// RFC 6265, section 5.3, steps 4 to 6.
    static let domains: [Row] = [
        Row(
            "no domain: only the host", .set("http://b.test", ["a=1"]), .send("http://b.test", "a=1"),
            .send("http://b.test:81", "a=1"), .send("http://a.b.test", nil), .send("http://test", nil)),
        Row(
            "a domain: the domain and its subdomains", .set("http://a.b.test", ["a=1; Domain=.B.Test"]),
            .send("http://b.test", "a=1"), .send("http://c.b.test", "a=1"), .send("http://cb.test", nil)),
        Row("an empty domain is ignored", .set("http://b.test", ["a=1; Domain=."]), .send("http://a.b.test", nil)),
        Row(
            "a foreign domain", .set("http://b.test", ["a=1; Domain=c.test", "b=2; Domain=a.b.test"]),
            .send("http://b.test", nil), .send("http://c.test", nil), .send("http://a.b.test", nil)),
        Row(
            "a single label", .set("http://b.test", ["a=1; Domain=test", "b=2; Domain=.test", "c=3; Domain=test."]),
            .set("http://b.test.", ["d=4; Domain=test.", "e=5; Domain=test"]), .send("http://b.test", nil),
            .send("http://c.test", nil), .send("http://b.test.", nil), .send("http://test", nil)),
        Row(
            "a single label that is the host", .set("http://intra", ["a=1; Domain=intra"]),
            .send("http://intra", "a=1"), .send("http://a.intra", nil)),
        Row(
            "an IP address", .set("http://1.2.3.4", ["a=1; Domain=1.2.3.4", "b=2; Domain=3.4", "c=3"]),
            .send("http://1.2.3.4", "a=1; c=3"), .send("http://5.6.3.4", nil), .send("http://0.1.2.3.4", nil)),
        Row(
            "an IPv6 address", .set("http://[::1]", ["a=1", "b=2; Domain=[::1]"]), .send("http://[::1]", "a=1; b=2"),
            .send("http://[::2]", nil)),
        Row(
            "a domain in Unicode", .set("http://a.xn--bcher-kva.test", ["a=1; Domain=b\u{FC}cher.test"]),
            .send("http://xn--bcher-kva.test", "a=1")),
        Row(
            "a host-only cookie and a domain cookie of one host", .set("http://b.test", ["a=1"]),
            .set("http://b.test", ["a=2; Domain=b.test"]), .send("http://b.test", "a=1; a=2"),
            .send("http://a.b.test", "a=2")),
    ]

    /// RFC 6265, sections 5.1.4 and 5.4.
    static let paths: [Row] = [
        Row(
            "default path: the directory", .set("http://h/a/b", ["a=1"]), .send("http://h/a", "a=1"),
            .send("http://h/a/c/d", "a=1"), .send("http://h/", nil), .send("http://h/ab", nil)),
        Row(
            "an explicit path", .set("http://h/a/b", ["a=1; Path=/c"]), .send("http://h/c", "a=1"),
            .send("http://h/a/b", nil)),
        Row(
            "longer paths first, then older cookies",
            .set("http://h", ["a=1", "b=2; Path=/x", "c=3", "d=4; Path=/x/y"]),
            .set("http://h", ["a=5"]), .send("http://h/x/y", "d=4; b=2; a=5; c=3")),
        Row(
            "one name with two paths", .set("http://h", ["a=1", "a=2; Path=/x"]), .send("http://h/x", "a=2; a=1"),
            .send("http://h/", "a=1")),
        Row(
            "https only", .set("https://h", ["a=1; Secure", "b=2"]), .send("https://h", "a=1; b=2"),
            .send("http://h", "b=2")),
        Row("https only, from http", .set("http://h", ["a=1; Secure"]), .send("https://h", nil)),
        Row(
            "http does not replace a Secure cookie", .set("https://h", ["a=1; Secure"]), .set("http://h", ["a=2"]),
            .set("http://h", ["a=; Max-Age=0"]), .send("https://h", "a=1"), .set("https://h", ["a=3"]),
            .send("http://h", "a=3")),
        Row("HttpOnly cookies are sent", .set("http://h", ["a=1; HttpOnly"]), .send("http://h", "a=1")),
    ]

    /// RFC 6265, section 5.3, steps 3 and 11. The clock starts at 2001-09-09T01:46:40Z.
    static let times: [Row] = [
        Row("no expiry", .set("http://h", ["a=1"]), .wait(1_000_000_000), .send("http://h", "a=1")),
        Row(
            "Max-Age", .set("http://h", ["a=1; Max-Age=60"]), .wait(59), .send("http://h", "a=1"), .wait(1),
            .send("http://h", nil)),
        Row(
            "Expires", .set("http://h", ["a=1; Expires=Sun, 09 Sep 2001 01:47:40 GMT"]), .wait(59),
            .send("http://h", "a=1"), .wait(1), .send("http://h", nil)),
        Row(
            "Max-Age takes precedence over Expires",
            .set(
                "http://h",
                ["a=1; Max-Age=60; Expires=09 Sep 2000 00:00:00", "b=2; Expires=1 Jan 2030 0:0:0; Max-Age=0"]),
            .send("http://h", "a=1")),
        Row(
            "Max-Age out of range", .set("http://h", ["a=1; Max-Age=99999999999999999999999"]),
            .set("http://h", ["b=2", "b=2; Max-Age=-99999999999999999999999"]), .wait(1_000_000_000),
            .send("http://h", "a=1")),
        Row(
            "a past date removes a cookie", .set("http://h", ["a=1", "b=2"]),
            .set("http://h", ["a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]), .send("http://h", "b=2")),
        Row(
            "a removal affects only its own path", .set("http://h/x/", ["a=1"]), .set("http://h/", ["a=; Max-Age=0"]),
            .send("http://h/x/", "a=1")),
        Row(
            "an expired cookie loses its creation time", .set("http://h", ["a=1; Max-Age=1", "b=2"]), .wait(1),
            .set("http://h", ["a=3"]), .send("http://h", "b=2; a=3")),
    ]

    /// RFC 6265bis, section 5.7, steps 19 and 20.
    static let prefixes: [Row] = [
        Row(
            "__Secure- needs Secure", .set("https://h", ["__Secure-a=1", "__sEcUrE-b=2", "__SECURE-c=3; Secure"]),
            .send("https://h", "__SECURE-c=3")),
        Row("__Secure- from http", .set("http://h", ["__Secure-a=1; Secure"]), .send("https://h", nil)),
        Row(
            "__Host- needs Secure and Path=/ and no Domain",
            .set("https://a.b.test/x/y", ["__Host-a=1; Secure; Path=/", "__Host-b=2; Path=/", "__Host-c=3; Secure"]),
            .set("https://a.b.test/", ["__Host-d=4; Secure; Path=/x", "__hOsT-e=5; Secure", "__HOST-f=6"]),
            .set("https://a.b.test/", ["__Host-g=7; Secure; Path=/; Domain=a.b.test"]),
            .set(
                "https://a.b.test/",
                ["__Host-h=8; Secure; Path=/; Domain=b.test", "__Host-i=9; Secure; Path=/; Domain="]),
            .send("https://a.b.test/x", "__Host-a=1; __Host-i=9")),
        Row("__Host- from http", .set("http://h", ["__Host-a=1; Secure; Path=/"]), .send("https://h", nil)),
        Row(
            "a name that only resembles a prefix",
            .set("http://h", ["__Host=1", "__Secure=2", "_Host-a=3", "Host-a=4"]),
            .send("http://h", "__Host=1; __Secure=2; _Host-a=3; Host-a=4")),
        Row(
            "no name, a prefix in the value",
            .set("https://h", ["__Host-a", "=__Host-a=1", "=__Secure-a=1", " = __Host-b=2; Secure; Path=/"]),
            .send("https://h", nil)),
    ]

    /// RFC 6265bis, section 5.7, step 16: a cookie from http does not hide a `Secure` one.
    static let secure: [Row] = [
        Row(
            "http does not shadow by a longer path", .set("https://h", ["a=1; Secure"]), .set("http://h/x/", ["a=2"]),
            .set("http://h", ["a=3; Path=/x"]), .send("https://h/x/", "a=1")),
        Row(
            "http sets another path than the Secure cookie's", .set("https://h/x/", ["a=1; Secure; Path=/x"]),
            .set("http://h", ["a=2", "a=3; Path=/xy"]), .send("https://h/x", "a=1; a=2"),
            .send("http://h/xy", "a=3; a=2")),
        Row(
            "http does not shadow from a domain above", .set("https://a.b.test", ["a=1; Secure"]),
            .set("http://c.b.test", ["a=2; Domain=b.test"]), .send("https://a.b.test", "a=1"),
            .send("http://c.b.test", nil)),
        Row(
            "http does not shadow from a domain below", .set("https://b.test", ["a=1; Secure; Domain=b.test"]),
            .set("http://a.b.test", ["a=2"]), .send("https://a.b.test", "a=1")),
        Row(
            "http sets a cookie of a sibling domain", .set("https://a.b.test", ["a=1; Secure"]),
            .set("http://c.b.test", ["a=2"]), .set("http://ba.b.test", ["a=3"]), .send("http://c.b.test", "a=2"),
            .send("http://ba.b.test", "a=3")),
        Row(
            "http sets another name", .set("https://h", ["a=1; Secure"]), .set("http://h", ["b=2"]),
            .send("https://h", "a=1; b=2")),
        Row(
            "http sets the name of a Secure cookie that has expired", .set("https://h", ["a=1; Secure; Max-Age=1"]),
            .wait(1), .set("http://h", ["a=2"]), .send("https://h", "a=2")),
        Row(
            "https without Secure replaces it", .set("https://h", ["a=1; Secure"]), .set("https://h/x/", ["a=2"]),
            .send("https://h/x/", "a=2; a=1")),
    ]

    @Test(arguments: domains + paths + times + prefixes + secure)
    func `a cookie is sent only to matching URLs`(row: Row) throws {
        try play(row.steps)
    }
}

extension CookieJarTests {
    /// Returns the names of the cookies that are sent to a URL.
    private func names(at url: String) throws -> [String] {
        try sent(to: url)?.components(separatedBy: "; ").map { String($0.prefix { $0 != "=" }) } ?? []
    }

    private func set(_ line: String, at url: String) throws {
        try play([.set(url, [line])])
    }

    @Test func `a cookie is limited to 4096 bytes, its path to 1024`() throws {
        let long = String(repeating: "x", count: 4_095)
        try set("a=\(long)", at: "http://h")
        try set("b=\(long)x", at: "http://h")
        #expect(try names(at: "http://h") == ["a"])
        let path = String(repeating: "/xxxxxxx", count: 128)
        try set("c=3", at: "http://i\(path)/")
        try set("d=4", at: "http://i\(path)x/")
        #expect(try names(at: "http://i\(path)/") == ["c"])
        #expect(try names(at: "http://i\(path)x/") == [])
    }

    @Test func `a domain keeps its 50 most recently used cookies`() throws {
        for number in 0..<50 { try set("\(number)=x; Path=/\(number)", at: "http://h") }
        // Sending a cookie and setting it again both count as use.
        #expect(try names(at: "http://h/0") == ["0"])
        try set("1=y; Path=/1", at: "http://h")
        for number in 50..<52 { try set("\(number)=x; Path=/\(number)", at: "http://h") }
        let left = try (0..<52).filter { try sent(to: "http://h/\($0)") != nil }
        #expect(left == [0, 1] + Array(4..<52))
        #expect("\(jar)" == "CookieJar(50 cookies)")
    }

    @Test func `a jar keeps the 3000 most recently used unexpired cookies`() throws {
        // Uses https, because each response over http is compared with all `Secure` cookies, which would take seconds.
        for number in 0..<3_000 { try set("a=\(number)", at: "https://h\(number).test") }
        #expect("\(jar)" == "CookieJar(3000 cookies)")
        #expect(try sent(to: "http://h0.test") == "a=0")
        try set("a=3000", at: "http://h3000.test")
        #expect(try sent(to: "http://h1.test") == nil)
        #expect(try sent(to: "http://h0.test") == "a=0")
        // An expired cookie is evicted first, even if it was used last.
        try set("a=; Max-Age=1", at: "http://h2999.test")
        clock.advance(by: .seconds(1))
        try set("a=3001", at: "http://h3001.test")
        #expect(try sent(to: "http://h2.test") == "a=2")
        #expect("\(jar)" == "CookieJar(3000 cookies)")
    }

    @Test func `cookies without Secure are evicted first within a domain`() throws {
        for number in 0..<49 { try set("\(number)=x; Path=/\(number); Secure", at: "https://h") }
        for number in 49..<60 { try set("\(number)=x; Path=/\(number)", at: "http://h") }
        let left = try (0..<60).filter { try sent(to: "https://h/\($0)") != nil }
        #expect(left == Array(0..<49) + [59])
        // If all cookies are `Secure`, the least recently used one is evicted.
        try set("60=x; Path=/60; Secure", at: "https://h")
        try set("61=x; Path=/61; Secure", at: "https://h")
        #expect(try (0..<62).filter { try sent(to: "https://h/\($0)") != nil } == Array(1..<49) + [60, 61])
        try set("62=x; Path=/62", at: "http://h")
        #expect(try sent(to: "http://h/62") == nil)
    }

    @Test func `cookies without Secure are evicted first across all domains`() throws {
        try set("a=1; Secure", at: "https://bank.test")
        for number in 0..<3_001 { try set("a=\(number)", at: "https://h\(number).test") }
        #expect(try sent(to: "https://bank.test") == "a=1")
        #expect(try sent(to: "http://h0.test") == nil)
        #expect(try sent(to: "http://h1.test") == nil)
        #expect(try sent(to: "http://h2.test") == "a=2")
        #expect("\(jar)" == "CookieJar(3000 cookies)")
    }

    @Test func `removeAll removes every cookie`() throws {
        try set("a=1", at: "http://h")
        #expect("\(jar)" == "CookieJar(1 cookie)")
        jar.removeAll()
        #expect(try sent(to: "http://h") == nil)
        #expect("\(jar)" == "CookieJar(0 cookies)")
    }

    @Test func `the description shows no cookie`() throws {
        try set("sid=s3cr3t", at: "http://h")
        var printed = "\(jar) \(String(reflecting: jar))"
        dump(jar, to: &printed)
        dump(CookieInterceptor(jar), to: &printed)
        #expect(printed.contains("CookieJar(1 cookie)") && !printed.contains("s3cr3t") && !printed.contains("sid"))
    }

    @Test func `concurrent tasks lose no cookies`() async throws {
        let jar = jar
        await withTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    guard let url = URL(string: "http://h/\(number % 5)/") else { return }
                    jar.save(["\(number)=x; Path=/"], from: url)
                    _ = jar.cookies(for: url)
                }
            }
        }
        let names = try names(at: "http://h")
        #expect(Set(names).count == 50)
    }
}
