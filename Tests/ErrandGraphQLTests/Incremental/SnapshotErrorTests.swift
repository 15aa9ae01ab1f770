import Errand
import ErrandGraphQL
import ErrandTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct SnapshotErrorTests {
    private typealias Scene = SnapshotScene

    private static let noBoundary = "expected the boundary of the Content-Type header in the body, found none"
    private static let longPath = String(repeating: "0,", count: 128) + "0"

    struct Row: Sendable, CustomTestStringConvertible {
        /// The first payload, without its end.
        var first = #"{"data":{"person":{"films":[{"title":"a"}]}},"pending":[{"id":"0","path":["person"]}]"#
        let second: String
        var code = ServiceError.Code.badResponse
        let reason: String
        var testDescription: String { reason }
    }

    @Test(arguments: [
        Row(
            second: #"{"incremental":[{"id":"1","data":{}}],"hasNext":true}"#,
            reason: #"expected the ID of an announced part, found "1""#),
        Row(
            second: #"{"completed":[{"id":"1"}],"hasNext":true}"#,
            reason: #"expected the ID of an announced part, found "1""#),
        Row(
            second: #"{"pending":[{"id":"0","path":[]}],"hasNext":true}"#,
            reason: #"expected a new ID of a part, found "0" twice"#),
        Row(
            second: #"{"incremental":[{"id":"0","subPath":["home"],"data":{}}],"hasNext":true}"#,
            reason: "expected the path of a value of the response, found home in an object"),
        Row(
            second: #"{"incremental":[{"id":"0","subPath":["films",1],"data":{}}],"hasNext":true}"#,
            reason: "expected the path of a value of the response, found [1] in a list"),
        Row(
            second: #"{"incremental":[{"id":"0","subPath":["films",-1],"data":{}}],"hasNext":true}"#,
            reason: "expected the path of a value of the response, found [-1] in a list"),
        Row(
            second: #"{"incremental":[{"id":"0","subPath":["films",0,"title","x"],"data":{}}],"hasNext":true}"#,
            reason: "expected the path of a value of the response, found x in another value"),
        Row(
            second: #"{"incremental":[{"id":"0","subPath":["films"],"data":{}}],"hasNext":true}"#,
            reason: "expected the path of an object for the deferred data, found a list"),
        Row(
            second: #"{"incremental":[{"id":"0","items":[1]}],"hasNext":true}"#,
            reason: "expected the path of a list for the streamed items, found an object"),
        Row(
            second: #"{"incremental":[{"id":"0","items":{}}],"hasNext":true}"#,
            reason: "expected a list of streamed items in payload 2, found none"),
        Row(
            second: #"{"incremental":[{"id":"0","data":[]}],"hasNext":true}"#,
            reason: "expected an object of deferred data in payload 2, found a list"),
        Row(
            second: #"{"incremental":[{"path":["person","films",2],"items":[1]}],"hasNext":true}"#,
            reason: "expected streamed items at index 1, found index 2"),
        Row(
            second: #"{"incremental":[{"path":["person","films",9223372036854775807],"items":[1]}],"hasNext":true}"#,
            reason: "expected streamed items at index 1, found index 9223372036854775807"),
        Row(
            second: #"{"incremental":[{"data":{}}],"hasNext":true}"#,
            reason: "expected an ID or a path of the data in payload 2, found neither"),
        Row(second: "{}", reason: "expected hasNext in payload 2, found none"),
        Row(
            second: #"{"hasNext":false}"#,
            reason: "expected the completion of 1 announced parts, found the last payload"),
        Row(
            first: #"{"errors":[{"message":"m"}]"#, second: #"{"incremental":[{"path":[],"data":{}}],"hasNext":true}"#,
            reason: "expected data in the first payload before payload 2, found none"),
        Row(
            second: #"{"incremental":[{"id":"0","data":{}}"#, code: .decoding,
            reason: "payload 2 cannot be decoded: the body is not valid JSON"),
        Row(
            second: #"{"incremental":[{"id":0}],"hasNext":true}"#, code: .decoding,
            reason: "payload 2 cannot be decoded: expected a String at incremental[0].id, found a number"),
        Row(
            second: #"{"incremental":[{"id":"0","subPath":[1e400],"data":{}}],"hasNext":true}"#, code: .decoding,
            reason: "payload 2 cannot be decoded: "),
        Row(
            second: #"{"incremental":[{"id":"0","subPath":[\#(longPath)],"data":{}}],"hasNext":true}"#,
            reason: "expected a path of at most 128 elements, found 130"),
        Row(
            second: #"{"incremental":[{"id":"0","data":{"name":5}}],"hasNext":true}"#, code: .decoding,
            reason: "expected a String at data.person.name, found a number"),
    ])
    func `a payload that does not fit is an error`(row: Row) async throws {
        let (error, count) = try await Scene.failure(Scene.reply([row.first + #","hasNext":true}"#, row.second]))
        #expect(error.code == row.code && error.reason.hasPrefix(row.reason), "\(error)")
        #expect(count == 1 && error.status == 200 && error.request?.url == "https://films.test/graphql")
        #expect(error.body?.isEmpty == false)
    }

    @Test(arguments: [
        ("multipart/mixed", 0), ("multipart/mixed; boundary=\"\"", 0),
        ("multipart/mixed; boundary=\(String(repeating: "b", count: 71))", 71),
    ])
    func `a body without a valid boundary is an error`(type: String, count: Int) async throws {
        let (error, _) = try await Scene.failure(Scene.reply([#"{"data":{}}"#], type: type))
        #expect(error.code == .badResponse)
        #expect(
            error.reason == "expected a boundary of 1 to 70 bytes in the Content-Type header, found \(count)")
    }

    @Test(arguments: [
        ("", 0, ServiceError.Code.badResponse, noBoundary), ("<p>Sign in</p>", 0, .badResponse, noBoundary),
        ("-----\r\n", 0, .connectionLost, "expected more payloads after payload 0, found the end of the body"),
        (
            Scene.body([#"{"data":{},"hasNext":true}"#]), 1, .connectionLost,
            "expected more payloads after payload 1, found the end of the body"
        ),
        (
            Scene.body([#"{"data":{},"hasNext":true}"#], isClosed: false), 1, .connectionLost,
            "expected more payloads after payload 1, found the end of the body"
        ),
        ("\r\n---x\r\n\r\n{}", 0, .badResponse, "expected a line ending after the delimiter of part 1, found byte 120"),
        ("\r\n---\r\nA: b\r\n---", 0, .badResponse, "expected a blank line after the headers of part 1, found none"),
        ("---\r\n---", 0, .badResponse, "expected a blank line after the headers of part 1, found none"),
    ])
    func `a malformed or truncated body is an error`(
        body: String, count: Int, code: ServiceError.Code, reason: String
    ) async throws {
        let (error, found) = try await Scene.failure(.data(Data(body.utf8), type: Scene.type))
        #expect(error.code == code && error.reason == reason && found == count, "\(error)")
        #expect(error.status == 200)
    }

    @Test func `a body larger than the limit is an error`() async throws {
        let payload = #"{"data":{"person":{"name":"Luke"}}}"#
        let size = Scene.body([payload]).utf8.count
        let padded = payload + String(repeating: " ", count: size - payload.utf8.count)
        for reply in [Scene.reply([payload]), .json(padded)] {
            let exact = try Scene.loader(ScriptedSession([reply])).snapshots(limit: size)
            #expect(try await exact.all().count == 1)
            let (error, _) = try await Scene.failure(reply, limit: size - 1)
            #expect(error.code == .bodyTooLarge)
        }
    }

    @Test func `too many announced parts are an error`() async throws {
        let parts = (0...65_536).map { #"{"id":"\#($0)","path":[]}"# }.joined(separator: ",")
        let (error, _) = try await Scene.failure(Scene.reply([#"{"data":{},"hasNext":true,"pending":[\#(parts)]}"#]))
        #expect(error.code == .badResponse && error.reason == "expected at most 65536 announced parts, found more")
    }

    @Test(arguments: [(#"{"a":"#, "}"), ("[", "]")])
    func `deep data is merged up to a limit`(open: String, close: String) async throws {
        let deep = String(repeating: open, count: 200) + "1" + String(repeating: close, count: 200)
        let first = #"{"data":{"x":\#(deep)},"hasNext":true}"#
        let second = #"{"incremental":[{"path":[],"data":{"x":\#(deep)}}],"hasNext":false}"#
        let (error, count) = try await Scene.failure(Scene.reply([first, second]))
        #expect(error.reason == "expected at most 128 levels in a payload, found more" && count == 1)
    }

    @Test func `a JSON response that announces more payloads is truncated`() async throws {
        let (error, _) = try await Scene.failure(.json(#"{"data":{},"hasNext":true}"#))
        #expect(error.code == .connectionLost)
        #expect(error.reason == "expected more payloads after the JSON response, found the end of the body")
    }

    @Test(arguments: [
        (CannedReply.text("Sign in"), ServiceError.Code.validation, 200), (.json("{}", status: 503), .status, 503),
        (.json(""), .decoding, 200),
        (.data(Data("---".utf8), type: Scene.type, status: 503), .status, 503), (.json("["), .decoding, 200),
    ])
    func `a refused request is the error of any operation`(
        reply: CannedReply, code: ServiceError.Code, status: Int
    ) async throws {
        let (error, count) = try await Scene.failure(reply)
        #expect(error.code == code && error.status == status && count == 0, "\(error)")
    }

    @Test func `only a query or a mutation is sent`() async throws {
        let script = ScriptedSession([])
        let loader = APILoader(try Scene.request("subscription { person { name } }"), session: script)
        let error = await #expect(throws: ServiceError.self) { try await loader.snapshots().all() }
        #expect(error?.code == .encoding && script.recorded.isEmpty)
    }

    @Test func `a lost connection is an error after its snapshots`() async throws {
        let payload = #"{"data":{"person":{"name":"Luke"}},"hasNext":true}"#
        let reply = Scene.reply([payload, payload])
            .truncatingBody(after: Scene.body([payload], isClosed: false).utf8.count + 9)
        let (error, count) = try await Scene.failure(reply)
        #expect(error.code == .connectionLost && count == 1)
    }

    @Test func `a failure after the last payload has no effect`() async throws {
        let payload = #"{"data":{"person":{"name":"Luke"}},"hasNext":false}"#
        let reply = Scene.reply([payload], isClosed: false).truncatingBody(after: 1_000)
        #expect(try await Scene.snapshots(reply).map(\.isComplete) == [true])
    }

    @Test func `a secret that the service repeats is not printed`() async throws {
        let secret = "c2VjcmV0LXRva2Vu"
        var request = try Scene.request()
        request.headers = ["Authorization": "Bearer \(secret)"]
        let second = #"{"completed":[{"id":"\#(secret)"}],"hasNext":false}"#
        let session = ScriptedSession([Scene.reply([#"{"data":{},"hasNext":true}"#, second])])
        let error = await #expect(throws: ServiceError.self) {
            try await APILoader(request, session: session).snapshots().all()
        }
        let failure = try #require(error)
        #expect(!"\(failure) \(failure.reason)".contains(secret), "\(failure)")
    }
}
