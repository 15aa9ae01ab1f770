import Errand
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

/// The server's own message in the error for a refused request.
@Suite struct ServerMessageTests {
    struct ShopError: LocalizedError, Decodable {
        let message: String
        var errorDescription: String? { message }
    }
    struct PlainError: Error, Decodable { let message: String }

    struct Call: APIHandler {
        let validators: [ResponseValidator]

        func makeRequest(from data: Void) throws -> URLRequest {
            try GreetingAPI(host: "shop.test").makeRequest(from: "x")
        }

        func parseResponse(data: Data, response: HTTPURLResponse) throws -> [String] {
            try defaultParseResponse(data: data, response: response)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var status = 422
        var type = "application/json"
        let body: String
        var validators: [ResponseValidator] = [.serverError(ShopError.self), .status()]
        let reason: String
        let sentence: String
        var testDescription: String { name }
    }

    private static let refused = "The server refused the request."
    private static let long = String(repeating: "x", count: 400)

    static let rows: [Row] = [
        Row(
            name: "a localized error", body: #"{"message":"title is missing"}"#,
            reason: "the server responded with status 422: title is missing", sentence: "title is missing"),
        Row(
            name: "hidden characters", body: #"{"message":"a\nb\u202Ec"}"#,
            reason: #"the server responded with status 422: a\u{A}b\u{202E}c"#, sentence: #"a\u{A}b\u{202E}c"#),
        Row(
            name: "a message over the limit", body: #"{"message":"\#(long)"}"#,
            reason: "the server responded with status 422: \(long.prefix(300))…", sentence: "\(long.prefix(300))…"),
        Row(
            name: "a secret after its name", body: #"{"message":"no user for token=abc and id=7"}"#,
            reason: "the server responded with status 422: no user for token=‹redacted› and id=7",
            sentence: "no user for token=‹redacted› and id=7"),
        Row(
            name: "an error without a description", body: #"{"message":"title is missing"}"#,
            validators: [.serverError(PlainError.self), .status()],
            reason: "the server responded with status 422 and an error of type PlainError", sentence: refused),
        Row(
            name: "an empty message", body: #"{"message":" "}"#,
            reason: "the server responded with status 422 and an error of type ShopError", sentence: refused),
        Row(
            name: "problem details", type: "application/problem+json",
            body: #"{"title":"No credit","detail":"30 needed"}"#,
            validators: [.status()], reason: "the server responded with status 422: No credit: 30 needed",
            sentence: "No credit: 30 needed"),
        Row(
            name: "problem details with only a detail", type: "application/problem+json",
            body: #"{"detail":"30 needed"}"#,
            validators: [.status()], reason: "the server responded with status 422: 30 needed", sentence: "30 needed"),
        Row(
            name: "problem details without text", type: "application/problem+json", body: "{}",
            validators: [.status()], reason: "the server responded with status 422 and an error of type ProblemDetails",
            sentence: refused),
        Row(
            name: "an HTML page", status: 502, type: "text/html", body: "\n <!DOCTYPE html>\n<p>Bad gateway</p>",
            validators: [.status()],
            reason:
                "the server responded with status 502 and text/html "
                + #"that begins with "<!DOCTYPE html>\u{A}<p>Bad gateway</p>""#,
            sentence: "The server has a problem. Try again later."),
        Row(
            name: "an HTML page with a JSON type", status: 200, body: "<html><head>\(long)", validators: [.status()],
            reason: "expected JSON, found application/json that begins with \"<html><head>\(long.prefix(68))…\"",
            sentence: "The response of the server could not be understood."),
        Row(
            name: "malformed JSON is not quoted", status: 200, body: #"["hush","#, validators: [.status()],
            reason: "the body is not valid JSON (byte 8)",
            sentence: "The response of the server could not be understood."),
    ]

    @Test(arguments: rows) func `an error shows the message of the server`(row: Row) async throws {
        let reply = CannedReply.data(Data(row.body.utf8), type: row.type, status: row.status)
        let log = Locked<[String]>([])
        let session = ScriptedSession([reply]).intercepted(
            by: LoggingInterceptor(LoggingInterceptor.PrintSink { line in log.withLock { $0.append(line) } }))
        let loader = APILoader(Call(validators: row.validators), session: session)
        let error = try #require(await #expect(throws: ServiceError.self) { try await loader.load() })
        #expect(error.reason == row.reason)
        #expect("\(error)".hasSuffix(": \(row.reason)"))
        #expect(error.localizedDescription == row.sentence)
        guard row.sentence != Self.refused, row.status == 422 else { return }
        let lines = log.withLock { $0 }
        #expect(lines.last?.hasSuffix(": \(row.sentence)") == true, "\(lines)")
    }
}
