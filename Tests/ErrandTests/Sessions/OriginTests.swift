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
    func `two addresses have one origin where scheme, host and port are the same`(row: Row) throws {
        let one = try #require(URL(string: row.one))
        let other = try #require(URL(string: row.other))
        #expect((Origin(one) == Origin(other)) == row.same)
    }
}
