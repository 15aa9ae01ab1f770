import Errand
import ErrandTesting
import Foundation
import TestSupport

extension ErrorRow {
    private typealias Photo = ErrorScene.Photo

    private struct Unfinished: APIHandler {
        func makeRequest(from data: String) throws -> URLRequest { try ErrorScene.request().head }
        func parseResponse(data: Data, response: HTTPURLResponse) throws -> String { throw ErrorScene.Broken() }
    }

    private struct WithoutParser: ResponseHandler {
        typealias ResponseDataType = Photo
    }

    private struct ServerFailure: Error, Decodable { let reason: String }

    private static func text(_ type: String, _ bytes: Data) async throws -> String {
        try await ErrorScene.load(Endpoint<String>(path: "photos"), .data(bytes, type: type))
    }

    static let responses: [ErrorRow] = statuses + parsing + framing + headers

    private static let statuses: [ErrorRow] = [
        ErrorRow(.status, "The status is not in the range that the validators accept.", "See `status` and `body`.") {
            try await ErrorScene.photo(.status(503))
        },
        ErrorRow(.status, "The server described the failure (RFC 9457).", "See `serverError` and `serverMessage`.") {
            try await ErrorScene.photo(
                .data(Data(#"{"title":"title is missing"}"#.utf8), type: "application/problem+json", status: 422))
        },
        ErrorRow(.status, "The server sent an error of your type.", "See `serverError`.") {
            try await ErrorScene.photo(
                .json(#"{"reason":"a"}"#, status: 422), [.serverError(ServerFailure.self), .status()])
        },
        ErrorRow(
            .status, "The server sent 304 without a condition.", "Report the server, or use `loadIfModified(_:_:)`."
        ) {
            try await ErrorScene.photo(.status(304), [.status(200...299, 304)])
        },
        ErrorRow(
            .status, "Another client changed the resource after it was loaded.", "Load it again, and repeat the change."
        ) {
            var endpoint = Endpoint<Photo>(method: .put, path: "photos/1")
            endpoint.options.precondition = .ifUnmodified(ResourceValidators(["ETag": "\"1\""]))
            return try await ErrorScene.load(endpoint, .status(412))
        },
        ErrorRow(.decoding, "A failure of the server has another form than your type.", "Correct the type.") {
            let validator = ResponseValidator.serverError(ServerFailure.self)
            return try validator.check(
                ErrorScene.request().head, ErrorScene.head(422), Data(#"{"message":"a"}"#.utf8))
        },
        ErrorRow(.validation, "The media type of the response is not accepted.", "Check the URL, or accept the type.") {
            try await ErrorScene.photo(.text("Sign in"), [.contentType("application/json")])
        },
        ErrorRow(.validation, "A custom validator threw another error.", "See the cause in `underlying`.") {
            try await ErrorScene.photo(.json("{}"), [ResponseValidator { _, _, _ in throw ErrorScene.Broken() }])
        },
    ]

    private static let parsing: [ErrorRow] = [
        ErrorRow(.decoding, "The JSON does not match the type.", "Compare the type with the body in `body`.") {
            try await ErrorScene.photo(.json(#"{"title":3}"#))
        },
        ErrorRow(.decoding, "The server sent a page instead of JSON.", "Check the URL, or accept only JSON.") {
            try await ErrorScene.photo(.data(Data("<html>".utf8), type: "text/html"))
        },
        ErrorRow(.decoding, "The body is empty, and the type is not optional.", "Use an optional type or `Void`.") {
            try await ErrorScene.photo(.json(""))
        },
        ErrorRow(.decoding, "The `charset` of the response is not supported.", "Decode the bytes in the handler.") {
            try await text("text/plain; charset=koi8-r", Data("a".utf8))
        },
        ErrorRow(.decoding, "The bytes do not match the `charset` of the response.", "Report the server.") {
            try await text("text/plain; charset=utf-8", Data([0x61, 0xFF]))
        },
        ErrorRow(.decoding, "The session does not decode the content coding.", "Correct the `Accept-Encoding`.") {
            try await ErrorScene.photo(.json("{}").header("Content-Encoding", "compress"))
        },
        ErrorRow(.decoding, "The decoder threw another error.", "See the cause in `underlying`.") {
            JSONDecoder().failure(ErrorScene.Broken(), decoding: Photo.self, from: Data())
        },
        ErrorRow(.decoding, "The handler threw another error.", "See the cause in `underlying`.") {
            try await APILoader(Unfinished(), session: ScriptedSession([.text("a")])).load("")
        },
        ErrorRow(.configuration, "The handler has no method to parse a response.", "Implement one of the methods.") {
            try WithoutParser().parseResponse(data: Data(), head: ErrorScene.head())
        },
    ]

    private static func frame(_ headers: HeaderFields) throws -> MessageFraming {
        try MessageFraming(status: 200, headers, method: .get)
    }

    private static let framing: [ErrorRow] = [
        ErrorRow(.badResponse, "The length of the body is ambiguous.", "Report the server or the proxy.") {
            try frame(["Content-Length": "3", "Transfer-Encoding": "chunked"])
        },
        ErrorRow(.badResponse, "The length of the body is ambiguous.", "Report the server or the proxy.") {
            try frame(["Content-Length": "3, 4"])
        },
        ErrorRow(.badResponse, "The length of the body is not a number.", "Report the server.") {
            try frame(["Content-Length": "three"])
        },
        ErrorRow(.badResponse, "The transfer coding is not supported.", "Report the server.") {
            try frame(["Transfer-Encoding": "gzip"])
        },
        ErrorRow(.connectionLost, "The connection was closed within the body.", "Retry if the request is idempotent.") {
            try frame(["Content-Length": "100"]).check(count: 40)
        },
    ]

    private static let headers: [ErrorRow] = [
        ErrorRow(.badResponse, "The server sent no header section.", "Report the server.") {
            try MessageHead([])
        },
        ErrorRow(.badResponse, "The server does not speak HTTP.", "Check the port of the URL.") {
            try ErrorScene.message("SSH-2.0-OpenSSH_9.6")
        },
        ErrorRow(.badResponse, "The status code is not a number of three digits.", "Report the server.") {
            try ErrorScene.message("HTTP/1.1 20 OK")
        },
        ErrorRow(.badResponse, "The status code is out of range.", "Report the server.") {
            try ErrorScene.message("HTTP/1.1 042 OK")
        },
        ErrorRow(.badResponse, "The reason phrase contains a control character.", "Report the server.") {
            try ErrorScene.message("HTTP/1.1 200 O\0K")
        },
        ErrorRow(.badResponse, "The server sent too many headers.", "Report the server.") {
            try MessageHead(Array(("HTTP/1.1 200 OK\r\n" + String(repeating: "A: 1\r\n", count: 2_001)).utf8))
        },
        ErrorRow(.badResponse, "The first header line begins with a space.", "Report the server.") {
            try ErrorScene.message("HTTP/1.1 200 OK", " X-A: 1")
        },
        ErrorRow(.badResponse, "A header line has no colon.", "Report the server.") {
            try ErrorScene.message("HTTP/1.1 200 OK", "X-A 1")
        },
        ErrorRow(.badResponse, "The name of a header contains an invalid character.", "Report the server.") {
            try ErrorScene.message("HTTP/1.1 200 OK", "X A: 1")
        },
        ErrorRow(.badResponse, "The value of a header contains a control character.", "Report the server.") {
            try ErrorScene.message("HTTP/1.1 200 OK", "X-A: 1\r2")
        },
    ]
}
