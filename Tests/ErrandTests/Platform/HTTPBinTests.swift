import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Forms and files at httpbin, a public test service, which decodes them with another project's parser.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: ProcessInfo.processInfo.environment["ERRAND_HTTPBIN"] != nil, "ERRAND_HTTPBIN is not set"))
struct HTTPBinTests {
    private struct Echo: Decodable, Sendable {
        let form: [String: LossyText]
        let files: [String: String]
        let headers: [String: String]
    }

    /// A value, or the list of the values with the same name.
    private struct LossyText: Decodable, Sendable, Equatable {
        let values: [String]

        init(_ values: String...) { self.values = values }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            values = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
        }
    }

    private struct Post: APIHandler {
        let server: URL

        func makeRequest(from body: RequestBody) -> URLRequest {
            var request = URLRequest(url: server.appending(path: "post"))
            request.httpMethod = "POST"
            return request
        }

        func body(for body: RequestBody) -> RequestBody? { body }

        func parseResponse(data: Data, response: HTTPURLResponse) throws -> Echo {
            try defaultParseResponse(data: data, response: response)
        }
    }

    @Test(arguments: MultipartSendIntegrationTests.transports)
    func `a form with files arrives with the same names and values`(transport: Transport) async throws {
        let server = try #require(ProcessInfo.processInfo.environment["ERRAND_HTTPBIN"].flatMap { URL(string: $0) })
        let folder = try ScratchFolder()
        let file = try folder.file(Data("<svg/>".utf8), name: "a b.svg")
        let body = RequestBody.multipart(
            ["title": "Ärger \"quoted\"", "tag": "a", "tag": "b\r\nc", "empty": ""],
            files: [
                .file(file, name: "picture", contentType: "image/svg+xml"),
                .data(Data([0, 0xFF, 0x0D, 0x0A]), name: "raw", fileName: "raw.bin"),
            ])
        let session = try transport.makeSession(usesProxies: false)
        let echo = try await load(body, from: server, over: session)
        #expect(echo.form["title"] == LossyText("Ärger \"quoted\"") && echo.form["empty"] == LossyText(""))
        #expect(echo.form["tag"] == LossyText("a", "b\r\nc"))
        #expect(echo.files["picture"] == "<svg/>")
        #expect(echo.files["raw"] == "data:application/octet-stream;base64,AP8NCg==")
        let length = try #require(try body.length())
        // Each use of the body has another boundary, of the same length.
        #expect(echo.headers["Content-Length"].flatMap { Int64($0) } == length)
    }

    private func load(_ body: RequestBody, from server: URL, over session: some APISession) async throws -> Echo {
        try await APILoader(Post(server: server), session: session).load(body)
    }
}
