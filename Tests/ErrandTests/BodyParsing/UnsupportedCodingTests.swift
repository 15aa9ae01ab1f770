import Errand
import ErrandTesting
import Testing

/// Decoding of a body that a session has delivered undecoded (RFC 9110, section 8.4).
@Suite struct UnsupportedCodingTests {
    private static let json = #"{"text":"a"}"#

    private static func head(
        _ encodings: [String], status: Int = 200, type: String = "application/json"
    ) throws -> ResponseHead {
        let headers = encodings.map { HeaderFields.Field("Content-Encoding", $0) }
        let url = try #require(URL(string: "https://api.test/"))
        return ResponseHead(
            status: status, headers: HeaderFields([HeaderFields.Field("Content-Type", type)] + headers), url: url)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let encodings: [String]
        /// The codings that the error names. `nil` if the body is decoded.
        let named: String?
        var testDescription: String { encodings.joined(separator: " + ") }

        init(_ encodings: String..., named: String? = nil) {
            (self.encodings, self.named) = (encodings, named)
        }
    }

    static let rows: [Row] = [
        Row("x-secret", named: "x-secret"), Row("compress", named: "compress"),
        Row("gzip, X-Secret", named: "x-secret"), Row("gzip", "x-secret", named: "x-secret"),
        Row("x-a, br, x-b", named: "x-a, x-b"), Row("gzip;q=1", named: "gzip;q=1"),
        // Sessions decode these codings. A recorded response may keep the header after its body was decoded.
        Row("gzip"), Row("x-gzip, deflate"), Row("br"), Row("ZSTD"), Row("identity"), Row("none"), Row(""), Row(", ,"),
        Row("identity, none"),
    ]

    @Test(arguments: rows)
    func `an unsupported coding is an error for JSON and text`(row: Row) throws {
        let handler = GreetingAPI(host: "h")
        let (head, body) = (try Self.head(row.encodings), Data(Self.json.utf8))
        let response = try head.httpURLResponse()
        let decoders: [() throws -> Void] = [
            { let _: Greeting = try handler.defaultParseResponse(data: body, response: response) },
            { let _: Greeting = try handler.defaultParseResponse(data: body, head: head) },
            { let _: String = try handler.defaultParseResponse(data: body, response: response) },
            { let _: String? = try handler.defaultParseResponse(data: body, head: head) },
            { let _: Greeting = try Endpoint(path: "a").parseResponse(data: body, head: head) },
        ]
        for decode in decoders {
            guard let named = row.named else {
                try decode()
                continue
            }
            let error = #expect(throws: ServiceError.self) { try decode() }
            #expect(error?.code == .decoding)
            #expect(error?.reason.hasPrefix("the body is encoded as ‹\(named)›, which is not supported: ") == true)
        }
    }

    @Test func `bytes and empty bodies ignore unsupported codings`() throws {
        let handler = GreetingAPI(host: "h")
        let head = try Self.head(["x-secret"])
        let bytes: Data = try handler.defaultParseResponse(data: Data([1, 2]), head: head)
        #expect(bytes == Data([1, 2]))
        let none: Greeting? = try handler.defaultParseResponse(data: Data(), head: head)
        #expect(none == nil)
    }

    @Test func `a decoding failure names the codings of the response`() throws {
        let error = #expect(throws: ServiceError.self) {
            let _: Greeting = try GreetingAPI(host: "h").defaultParseResponse(
                data: Data([0x1F, 0x8B, 8]), head: Self.head(["gzip"]))
        }
        #expect(error?.reason.hasSuffix(" (Content-Encoding: gzip)") == true, "\(error?.reason ?? "")")
    }

    struct Failure: Error, Decodable { let text: String }

    @Test(arguments: [true, false])
    func `a server error is not parsed from an unsupported coding`(isProblem: Bool) async throws {
        let type = isProblem ? "application/problem+json" : "application/json"
        let session = ScriptedSession([
            .data(Data(#"{"text":"a","title":"b"}"#.utf8), type: type, status: 422)
                .header("Content-Encoding", "x-secret")
        ])
        let endpoint = Endpoint<Greeting>(path: "a", validators: [.serverError(Failure.self), .status()])
        let environment = CustomEnvironment<APIPath>(name: "test", baseURL: "https://api.test")
        let error = await #expect(throws: ServiceError.self) {
            try await APILoader(endpoint, session: session).load(environment)
        }
        #expect(error?.code == .status && error?.status == 422)
        #expect(error?.serverError == nil)
        #expect(error?.reason.contains("‹x-secret›") == true, "\(error?.reason ?? "")")
    }
}
