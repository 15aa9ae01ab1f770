import Errand
import Testing

@Suite struct OriginTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let one: String
        let other: String
        let same: Bool
        var testDescription: String { "\(one) \(same ? "=" : "≠") \(other)" }

        init(_ one: String, _ other: String, _ same: Bool) {
            self.one = one
            self.other = other
            self.same = same
        }
    }

    @Test(arguments: [
        Row("http://h/a", "http://H:80/b?c", true), Row("https://h", "HTTPS://h:443/x", true),
        Row("http://[::1]:8080", "http://[::1]:8080/x", true), Row("http://u:p@h/", "http://h/", true),
        Row("http://h", "https://h", false), Row("http://h:80", "http://h:81", false),
        Row("http://h", "http://h.", false), Row("http://h", "http://sub.h", false),
        Row("http://h", "ftp://h:80", false),
        Row("http://h", "/x", false), Row("http://h", "http:///x", false), Row("http://h", "http:h", false),
    ])
    func `URLs have the same origin if scheme, host and port match`(row: Row) throws {
        let one = try #require(URL(string: row.one))
        let other = try #require(URL(string: row.other))
        #expect((Origin(one) == Origin(other)) == row.same)
    }

    @Test(arguments: [
        ("http://localhost:8080", true), ("https://LOCALHOST/", true), ("http://127.0.0.1", true),
        ("http://127.255.0.9:1", true), ("http://[::1]:8080/x", true), ("http://0.0.0.0", false),
        ("http://127.shop.test", false), ("http://localhost.shop.test", false), ("http://128.0.0.1", false),
        ("http://[::2]", false), ("http://10.127.0.1", false), ("/localhost", false),
    ])
    func `a loopback host is recognized`(url: String, isLoopback: Bool) {
        #expect(Origin(URL(string: url)).isLoopback == isLoopback)
    }
}
