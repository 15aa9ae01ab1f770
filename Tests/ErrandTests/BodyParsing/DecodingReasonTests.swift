import Errand
import ErrandTesting
import Testing

/// The text of a decoding error: the expected type, its coding path and the value's kind.
@Suite struct DecodingReasonTests {
    enum Size: String, Decodable { case small }
    struct Photo: Decodable, Sendable {
        let title: String
        var likes: Int?
        var size: Size?
        var link: URL?
        var date: Date?
    }
    struct Page: Decodable, Sendable { let photos: [Photo] }

    struct Row: Sendable, CustomTestStringConvertible {
        let photos: String
        let reason: String
        var testDescription: String { photos }
    }

    static let rows: [Row] = [
        Row(photos: #"[{"title":7}]"#, reason: "expected a String at photos[0].title, found a number (byte 20)"),
        Row(photos: #"[{"title":{}}]"#, reason: "expected a String at photos[0].title, found an object (byte 20)"),
        Row(photos: #"[{"title":[]}]"#, reason: "expected a String at photos[0].title, found an array (byte 20)"),
        Row(photos: #"[{"title":true}]"#, reason: "expected a String at photos[0].title, found a Boolean (byte 20)"),
        Row(photos: #"[{"title":null}]"#, reason: "expected a String at photos[0].title, found null (byte 20)"),
        Row(photos: #"[{"title":"a"},{}]"#, reason: "photos[1].title is missing (object at byte 25)"),
        Row(photos: #"{}"#, reason: "expected an array at photos, found an object (byte 10)"),
        Row(photos: "[\n  7\n]", reason: "expected an object at photos[0], found a number (line 2, column 3)"),
        Row(
            photos: "[\n  {\"title\": \"é\", \"likes\": \"1\"}]",
            reason: "expected an Int at photos[0].likes, found a string (line 2, column 27)"),
        Row(
            photos: #"[{"title":"a","likes":1.5}]"#,
            reason: "expected an Int at photos[0].likes, found a number that does not fit (byte 32)"),
        Row(photos: #"[{"title":"a","size":"hush"}]"#, reason: "expected a valid Size at photos[0].size (byte 31)"),
        Row(photos: #"[{"title":"a","link":""}]"#, reason: "expected a valid URL at photos[0].link (byte 31)"),
        Row(
            photos: #"[{"title":"a","date":"hush"}]"#,
            reason: "expected an ISO 8601 date and time at photos[0].date (byte 31)"),
        Row(photos: "[\n tru]", reason: "the body is not valid JSON (line 2, column 2)"),
    ]

    @Test(arguments: rows) func `a decoding error names the path, position and cause`(row: Row) async throws {
        let body = #"{"photos":\#(row.photos)}"#
        let error = #expect(throws: ServiceError.self) {
            let _: Page = try BodyParser().parse(Data(body.utf8), contentType: "application/json")
        }
        #expect(error?.code == .decoding)
        // The position of a syntax error differs by a few bytes between the platforms' Foundation versions.
        if row.reason.contains("not valid JSON") {
            #expect(error?.reason.hasPrefix("the body is not valid JSON (line 2, ") == true)
        } else {
            #expect(error?.reason == row.reason)
        }
    }

    @Test func `a custom decoder of a handler gets the same message`() async throws {
        struct Own: APIHandler {
            func makeRequest(from data: Void) throws -> URLRequest {
                try GreetingAPI(host: "own.test").makeRequest(from: "x")
            }
            func parseResponse(data: Data, response: HTTPURLResponse) throws -> Page {
                try JSONDecoder().decode(Page.self, from: data)
            }
        }
        let session = ScriptedSession([.json(#"{"photos":[{"title":7}]}"#)])
        let error = await #expect(throws: ServiceError.self) { try await APILoader(Own(), session: session).load() }
        #expect(error?.reason == "expected a String at photos[0].title, found a number (byte 20)")
    }
}
