import AsyncHTTPClient
import Errand
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import OpenAPIRuntime
import Testing

@Suite(.timeLimit(.minutes(1))) struct TypeRecipeTests {
    private func post(_ path: String) throws -> HTTPRequest {
        var request = HTTPRequest(
            method: try #require(HTTPRequest.Method("POST")), scheme: "https", authority: "api.test", path: path)
        for (name, value) in [("Content-Length", "2"), ("X-A", "1"), ("Accept", "text/plain")] {
            request.headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        return request
    }

    @Test func `a request converts to swift-http-types and back`() throws {
        let request = try #require(APIRequest(try post("/a%20b?c=d"), body: .data(Data("{}".utf8))))
        try request.checkSendable()
        #expect(request.url?.absoluteString == "https://api.test/a%20b?c=d" && request.method == .post)
        #expect(request.headers.map(\.name) == ["Accept", "X-A"] && request.body.data == Data("{}".utf8))
        let back = try #require(HTTPRequest(request))
        #expect(back.path == "/a%20b?c=d" && back.authority == "api.test" && back.headerFields.count == 2)
        var without = try post("/")
        without.authority = nil
        #expect(APIRequest(without) == nil)
    }

    @Test func `a response keeps duplicate headers`() throws {
        let url = try #require(URL(string: "http://api.test/"))
        let head = ResponseHead(status: 404, headers: ["Set-Cookie": "a=1", "set-cookie": "b=2"], url: url)
        let response = HTTPResponse(head)
        #expect(response.status.code == 404 && response.status.reasonPhrase == "Not Found")
        #expect(response.headerFields.map(\.value) == ["a=1", "b=2"])
    }

    @Test(arguments: [("https://api.test/v1", IterationBehavior.multiple), ("https://api.test/v1/", .single)])
    func `an OpenAPI client sends through a session`(base: String, behavior: IterationBehavior) async throws {
        let session = Canned { request in
            guard case .streamed = request.options.delivery else { throw ServiceError(.encoding, "not streamed") }
            let data = try await request.body.chunks.reduce(into: Data()) { $0 += $1 }
            let text = "\(request.method) \(request.url?.absoluteString ?? "") \(String(decoding: data, as: UTF8.self))"
            return try APIResponse(to: request, status: 201, headers: ["X-B": "2"], body: text)
        }
        let chunks = AsyncStream<HTTPBody.ByteChunk> { continuation in
            continuation.yield(ArraySlice("{}".utf8))
            continuation.finish()
        }
        let body = HTTPBody(chunks, length: .known(2), iterationBehavior: behavior)
        let (response, received) = try await ErrandTransport(session: session).send(
            post("/pets?limit=1"), body: body, baseURL: try #require(URL(string: base)), operationID: "addPet")
        #expect(response.status.code == 201 && response.headerFields.map(\.value) == ["2"])
        let text = try await #require(received).reduce(into: Data()) { $0 += $1 }
        #expect(String(decoding: text, as: UTF8.self) == "POST https://api.test/v1/pets?limit=1 {}")
    }

    @Test func `async-http-client sends the complete request and returns its response`() async throws {
        let client = HTTPClient { request, timeout in
            var sent = "\(request.method.rawValue) \(request.url) \(request.headers.map { "\($0.name)=\($0.value)" })"
            sent += " \(request.body?.length.count ?? -1) \(timeout.nanoseconds)"
            if let next = request.body?.chunks() {
                while let chunk = try await next() { sent += String(decoding: chunk.readableBytesView, as: UTF8.self) }
            }
            let headers = HTTPHeaders([("X-A", "1"), ("X-A", "2")])
            return HTTPClientResponse(
                status: .init(statusCode: 404, reasonPhrase: "gone"), headers: headers,
                body: .bytes(ByteBuffer(bytes: sent.utf8)))
        }
        var head = URLRequest(url: try #require(URL(string: "http://api.test/a")))
        head.httpMethod = "PATCH"
        head.setValue("1", forHTTPHeaderField: "X-B")
        let request = APIRequest(head: head, body: .data(Data("{}".utf8)))
        let response = try await AsyncHTTPClientSession(client: client).send(request)
        #expect(response.head.status == 404 && response.head.headers.all("X-A") == ["1", "2"])
        let text = response.body.data.map { String(decoding: $0, as: UTF8.self) }
        #expect(text == "PATCH http://api.test/a [\"X-B=1\"] 2 86400000000000{}")
    }

    @Test(arguments: [
        (HTTPClientError.readTimeout as any Error, ServiceError.Code.timeout),
        (HTTPClientError.deadlineExceeded, .timeout),
        (HTTPClientError.connectTimeout, .connection), (NIOConnectionError(host: "api.test", port: 80), .connection),
        (HTTPClientError.remoteConnectionClosed, .connectionLost), (HTTPClientError.cancelled, .cancelled),
        (ServiceError(.tls, "refused"), .tls),
    ])
    func `errors of async-http-client map to the codes that retries use`(
        error: any Error, code: ServiceError.Code
    ) async throws {
        let session = AsyncHTTPClientSession(client: HTTPClient { _, _ in throw error })
        let endpoint = Endpoint<Void>(path: "a")
        let environment = CustomEnvironment<APIPath>(name: "test", baseURL: "http://api.test")
        let failure = await #expect(throws: ServiceError.self) {
            try await APIClient(environment: environment, session: session).request(endpoint)
        }
        #expect(failure?.code == code)
    }
}
