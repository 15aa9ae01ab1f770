import Errand
import TestSupport
import Testing

/// Server text with long runs of combining marks, parsed as anything but JSON.
@Suite(.serialized, .timeLimit(.minutes(2))) struct HostileTextTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let read: @Sendable (String) throws -> Void
        var testDescription: String { name }
    }

    private static func header(_ value: String) throws -> String {
        try #require(MessageHead(Array("HTTP/1.1 200 OK\r\nX-A: \(value)\r\n\r\n".utf8)).headers["X-A"])
    }

    private static func head(_ value: String) throws -> ResponseHead {
        let headers = try MessageHead(Array("HTTP/1.1 200 OK\r\nX-A: \(value)\r\n\r\n".utf8)).headers
        return ResponseHead(status: 200, headers: headers, url: try #require(URL(string: "http://a.test/")))
    }

    static let rows: [Row] = [
        Row(name: "a hashed header value") { _ = try Self.header($0).hashValue },
        Row(name: "a compared header section") { _ = try Self.head("\($0)\u{300}") == Self.head("\($0)\u{301}") },
        Row(name: "a printed header section") { _ = try Self.head($0).description },
        Row(name: "a reason") { _ = try MessageHead(Array("HTTP/1.1 200 \($0)\r\n\r\n".utf8)).reason.hashValue },
        Row(name: "a list of items") { _ = try Self.header("a, \($0), \($0)").split(separator: ",") },
        Row(name: "a Link") { value in
            let link = LinkHeader(try Self.header("<http://a.test/\(value)>; rel=\"a\(value)\"; title=\"\(value)\""))
            _ = link.links.map(\.relations)
            _ = link.links.map { $0.url(relativeTo: URL(filePath: "/")) }
        },
        Row(name: "a media type") { _ = MediaType(try Self.header("text/\($0); charset=\"\($0)\"")) },
        Row(name: "a cookie") { value in
            let url = try #require(URL(string: "http://a.test/"))
            let jar = CookieJar()
            let header = try Self.header("a\(value)=\(value); Domain=\(value); Path=/\(value)")
            jar.save([header, header], from: url)
        },
        Row(name: "a hidden name") { _ = Redaction.standard.hides("a\($0)") },
        Row(name: "a printed text") { _ = Redaction.standard.text("a \($0) b=\($0)") },
        Row(name: "a printed body") { _ = Redaction.standard.body(Data(#"{"a\#($0)":1}"#.utf8)) },
        Row(name: "problem details") { value in
            let response = try #require(URL(string: "http://a.test/"))
            let head = ResponseHead(status: 400, headers: ["Content-Type": "application/problem+json"], url: response)
            let body = Data(#"{"title":"\#(value)","a\#(value)":1}"#.utf8)
            let validator = ResponseValidator.status()
            let error = #expect(throws: ServiceError.self) {
                _ = try validator.check(URLRequest(url: response), head, body)
            }
            _ = error?.description
        },
    ]

    @Test(.serialized, arguments: rows) func `hostile text is parsed in linear time`(row: Row) async throws {
        let (small, large) = (HostileText.marks(5_000), HostileText.marks(40_000))
        // The ratio is 8 if the time is linear, and 64 if it is quadratic.
        let growth = try await ProcessorTime.growth(limit: 16, minimumTime: 50e-6) {
            try row.read(small)
        } long: {
            try row.read(large)
        }
        #expect(growth <= 16)
    }

    @Test func `a header value with few marks stays UTF-8`() throws {
        let value = "caf\u{65}\u{301} \(HostileText.marks(100)) z"
        #expect(try Self.header(value) == value)
    }
}
