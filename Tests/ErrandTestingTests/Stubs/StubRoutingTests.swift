import Errand
import ErrandTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct StubRoutingTests {
    @Test func `the first matching route provides the response`() async throws {
        let stub = StubSession()
        stub.on(.get, "/photos", query: ["page": "2"], reply: .text("second"))
        stub.on(.get, "/photos", reply: .text("any page"))
        stub.on(.post, "/photos", body: .json(#"{"id":1}"#), reply: .status(201))
        stub.on(RequestMatcher(nil, "/photos/*"), reply: .text("one"))
        let responses = [
            try await stub.call(.get, "/photos?page=2"), try await stub.call(.get, "/photos?page=3"),
            try await stub.call(.post, "/photos", body: .data(Data(#"{ "id": 1 }"#.utf8))),
            try await stub.call(.delete, "/photos/7"),
        ]
        #expect(responses == ["200 second", "200 any page", "201 ", "200 one"])
        try stub.verify()
    }

    @Test func `replies are used in order and the last one is repeated`() async throws {
        let stub = StubSession()
        stub.on(.get, "/", reply: .status(503), .text("a"), .text("b"))
        var responses: [String] = []
        for _ in 1...4 { responses.append(try await stub.call()) }
        #expect(responses == ["503 ", "200 a", "200 b", "200 b"])
    }

    @Test func `a request goes to the next route when one is exhausted`() async throws {
        let stub = StubSession()
        stub.on(.get, "/", times: .exactly(2), reply: .text("a"))
        stub.on(.get, "/", times: .exactly(0), reply: .text("never"))
        stub.on(.get, "/", reply: .text("b"))
        var responses: [String] = []
        for _ in 1...3 { responses.append(try await stub.call()) }
        #expect(responses == ["200 a", "200 a", "200 b"])
        try stub.verify()
    }

    @Test func `a handler returns the reply to each request or throws`() async throws {
        let stub = StubSession()
        stub.on(.get, "/*") { request in
            guard request.path != "/offline" else { throw URLError(.notConnectedToInternet) }
            return .text("you asked for \(request.path)")
        }
        let response = try await stub.call(.get, "/a")
        #expect(response == "200 you asked for /a")
        let error = await #expect(throws: ServiceError.self) { try await stub.call(.get, "/offline") }
        #expect(error?.code == .connection)
    }

    @Test func `a request without a matching route fails with its path`() async throws {
        let stub = StubSession()
        stub.on(.get, "/a", times: .anyNumber, reply: .status(200))
        let error = await #expect(throws: ServiceError.self) { try await stub.call(.get, "/b?access_token=s3cret") }
        #expect(error?.reason.hasPrefix("no route of the stub matches GET /b?access_token=") == true)
        #expect(error?.reason.contains("s3cret") == false)
        #expect(error?.code == .configuration)
        #expect(stub.recorded.map(\.path) == ["/b"])
    }

    @Test func `a request to a released stub fails and is not sent`() async throws {
        func sessionOfGoneStub() -> URLSession { StubSession().urlSession }
        var request = URLRequest(url: try #require(URL(string: "http://localhost/")))
        let error = await #expect(throws: ServiceError.self) {
            try await sessionOfGoneStub().send(APIRequest(request))
        }
        #expect(error?.reason == "the StubSession of this request was released: keep it until the test ends")

        let stub = StubSession()
        request.url = URL(string: "http://stub-x.test/")
        let unknown = await #expect(throws: URLError.self) { try await stub.urlSession.completed(request) }
        #expect(unknown?.code == .cannotFindHost)
    }

    @Test func `a loader accepts the stub or its session`() async throws {
        struct API: APIHandler {
            func makeRequest(from name: String) throws -> URLRequest {
                URLRequest(url: try #require(URL(string: "https://api.test/v1/\(name)")))
            }

            func parseResponse(data: Data, response: HTTPURLResponse) throws -> [String] {
                try defaultParseResponse(data: data, response: response)
            }
        }
        let stub = StubSession()
        stub.on(.get, "/v1/names", reply: .json(#"["eva"]"#))
        let names = try await APILoader(API(), session: stub.urlSession).load("names")
        let same = try await APILoader(API(), session: stub).load("names")
        #expect(names == ["eva"] && same == names)
        try stub.verify()
    }
}
