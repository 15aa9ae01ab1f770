import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite struct ResponseValidatorTests {
    struct ShopError: Error, Decodable, Equatable { let message: String }
    struct Refused: Error {}

    struct Validated: APIHandler {
        let validators: [ResponseValidator]

        func makeRequest(from data: Void) throws -> URLRequest {
            try GreetingAPI(host: "valid.test").makeRequest(from: "x")
        }

        func parseResponse(data: Data, response: HTTPURLResponse) throws -> String {
            try defaultParseResponse(data: data, response: response)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let validators: [ResponseValidator]
        var status = 200
        var type: String? = "application/json"
        var body = #"{"message":"sold out"}"#
        let code: ServiceError.Code?
        var serverError = false
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "2xx passes by default", validators: [.status()], code: nil),
        Row(name: "299 is 2xx", validators: [.status()], status: 299, code: nil),
        Row(name: "300 is not 2xx", validators: [.status()], status: 300, code: .status),
        Row(name: "a custom range", validators: [.status(200..<500)], status: 404, code: nil),
        Row(name: "a closed range", validators: [.status(200...204)], status: 204, code: nil),
        Row(name: "the end of a closed range", validators: [.status(200...204)], status: 205, code: .status),
        Row(name: "one status", validators: [.status(404)], status: 404, code: nil),
        Row(name: "another status", validators: [.status(404)], status: 200, code: .status),
        Row(name: "a list of statuses", validators: [.status(200...299, 404, 410..<412)], status: 411, code: nil),
        Row(name: "a gap of a list", validators: [.status(200...299, 404, 410..<412)], status: 412, code: .status),
        Row(name: "an empty list accepts all", validators: [], status: 500, code: nil),
        Row(name: "type as expected", validators: [.contentType("application/json")], code: nil),
        Row(
            name: "type with parameters", validators: [.contentType("application/json")],
            type: "Application/JSON; charset=utf-8", code: nil),
        Row(name: "type by wildcard", validators: [.contentType("application/*")], code: nil),
        Row(name: "one of two types", validators: [.contentType("text/plain", "*/json")], code: nil),
        Row(name: "wrong type", validators: [.contentType("application/json")], type: "text/html", code: .validation),
        Row(name: "no type", validators: [.contentType("application/json")], type: nil, code: .validation),
        Row(
            name: "no type without a body", validators: [.contentType("a/b")], type: nil, body: "", code: nil),
        Row(
            name: "server error", validators: [.serverError(ShopError.self)], status: 409, code: .status,
            serverError: true),
        Row(name: "server error on 200 is ignored by default", validators: [.serverError(ShopError.self)], code: nil),
        Row(
            name: "server error on 200 if configured", validators: [.serverError(ShopError.self, statuses: 200..<600)],
            code: .status, serverError: true),
        Row(
            name: "undecodable server error is left to the next validator",
            validators: [.serverError(ShopError.self), .status()], status: 500, body: "<html>", code: .status),
        Row(
            name: "the first failure is thrown", validators: [.contentType("text/plain"), .status()], status: 500,
            code: .validation),
        Row(
            name: "a closure refuses", validators: [ResponseValidator { _, _, _ in throw Refused() }], code: .validation
        ),
        Row(name: "a closure accepts", validators: [ResponseValidator { _, _, _ in }, .status()], code: nil),
    ]

    @Test(arguments: rows)
    func `validators run in order, and the first failure is thrown`(row: Row) async throws {
        let headers: HeaderFields = row.type.map { ["Content-Type": $0] } ?? [:]
        let session = ScriptedSession([CannedReply(status: row.status, headers: headers, chunks: [Data(row.body.utf8)])]
        )
        let loader = APILoader(Validated(validators: row.validators), session: session)
        do throws(ServiceError) {
            let value = try await loader.load()
            #expect(row.code == nil, "accepted \(value)")
        } catch {
            #expect(error.code == row.code)
            #expect((error.serverError as? ShopError == ShopError(message: "sold out")) == row.serverError)
        }
    }

    @Test(arguments: [
        (
            CannedReply.json(#"{"oops":1}"#, status: 422),
            "the server responded with status 422; its body is not a ShopError: message is missing (object at byte 0)"
        ),
        (
            .data(Data("<html>".utf8), type: "text/html", status: 502),
            #"the server responded with status 502 and text/html that begins with "<html>"; "#
                + "its body is not a ShopError: the body is not valid JSON (byte 0)"
        ), (.status(500), "the server responded with status 500"),
    ]) func `a refusal with a wrong server error describes the body`(reply: CannedReply, reason: String) async throws {
        let validators: [ResponseValidator] = [.serverError(ShopError.self), .status()]
        let loader = APILoader(Validated(validators: validators), session: ScriptedSession([reply]))
        let error = try #require(await #expect(throws: ServiceError.self) { try await loader.load() })
        #expect(error.code == .status && error.reason == reason && error.serverError == nil)
        #expect((error.underlying is DecodingError) == reason.contains("ShopError"))
    }

    @Test func `an error of another validator is thrown unchanged`() async throws {
        let validators: [ResponseValidator] = [
            .serverError(ShopError.self, statuses: 200..<600),
            ResponseValidator { _, _, _ in throw ServiceError(.validation, "no ETag") },
        ]
        let loader = APILoader(Validated(validators: validators), session: ScriptedSession([.json("{}")]))
        let error = try #require(await #expect(throws: ServiceError.self) { try await loader.load() })
        #expect(error.code == .validation && error.reason == "no ETag" && error.underlying == nil)
    }

    @Test func `problem details are decoded by default`() async throws {
        let body = #"{"type":"https://a.test/credit","title":"No credit","status":"odd","detail":"30 needed"}"#
        let headers: HeaderFields = ["Content-Type": "application/problem+json"]
        let session = ScriptedSession([CannedReply(status: 403, headers: headers, chunks: [Data(body.utf8)])])
        let loader = APILoader(Validated(validators: [.status()]), session: session)
        let error = try #require(await #expect(throws: ServiceError.self) { try await loader.load() })
        let problem = try #require(error.serverError as? ProblemDetails)
        #expect(problem.title == "No credit" && problem.detail == "30 needed" && problem.status == nil)
    }

    @Test(arguments: [("7", Duration.seconds(7)), ("0", .zero), ("soon", nil)])
    func `a refusal includes the server's retry delay`(header: String, wait: Duration?) async throws {
        let busy = CannedReply.status(503).header("Retry-After", header)
        let session = ScriptedSession([busy])
        let error = await #expect(throws: ServiceError.self) {
            try await APILoader(Validated(validators: [.status()]), session: session).load()
        }
        #expect(error?.code == .status && error?.retryAfter == wait)
    }
}
