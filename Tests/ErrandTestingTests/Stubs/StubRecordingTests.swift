import Errand
import ErrandTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct StubRecordingTests {
    @Test func `requests are recorded in order without the stub's header`() async throws {
        let stub = StubSession()
        stub.on(.any, reply: .status(204))
        var head = URLRequest(url: try #require(URL(string: "https://api.test/a?b=c%20d")))
        head.httpMethod = "PUT"
        head.setValue("north", forHTTPHeaderField: "X-Tenant")
        _ = try await stub.send(APIRequest(head: head, body: .data(Data("hello".utf8))))
        _ = try await stub.call(.get, "/second")
        let recorded = stub.recorded
        #expect(recorded.map(\.method) == [.put, .get])
        #expect(recorded.map { $0.url?.absoluteString } == ["https://api.test/a?b=c%20d", "https://api.test/second"])
        #expect(recorded.map(\.body) == [.data(Data("hello".utf8)), .none])
        #expect(recorded.first?.headers["X-Tenant"] == "north")
        #expect(recorded.allSatisfy { request in !request.headers.contains { $0.name.hasPrefix("Errand") } })
    }

    enum Delivery: String, CaseIterable { case data, stream, emptyStream }

    @Test(arguments: Delivery.allCases)
    func `a body is recorded for each kind of delivery`(delivery: Delivery) async throws {
        let body = delivery == .emptyStream ? Data() : Data(repeating: 7, count: 200_000)
        let stub = StubSession()
        stub.on(.post, "/", body: .data(body), reply: .text("got it"))
        let response = try await stub.plainCall("/") { request in
            request.httpMethod = "POST"
            switch delivery {
            case .data: request.httpBody = body
            case .stream, .emptyStream: request.httpBodyStream = InputStream(data: body)
            }
        }
        #expect(response == "200 got it")
        #expect(stub.recorded.map(\.body) == [.data(body)])
    }

    @Test(arguments: [(99_999, false), (100_000, true)])
    func `a stream is read up to a limit`(limit: Int, fits: Bool) throws {
        var request = URLRequest(url: try #require(URL(string: "http://api.test/")))
        request.httpBodyStream = InputStream(data: Data(count: 100_000))
        let sent = Result { try APIRequest(sent: request, limit: limit) }
        switch sent {
        case .success(let sent): #expect(fits && sent.body.data?.count == 100_000)
        case .failure(let error): #expect(!fits && (error as? URLError)?.code == .dataLengthExceedsMaximum)
        }
    }

    @Test func `a stream that cannot be opened is an error`() throws {
        var request = URLRequest(url: try #require(URL(string: "http://api.test/")))
        request.httpBodyStream = InputStream(fileAtPath: "/does/not/exist")
        #expect(throws: URLError.self) { try APIRequest(sent: request) }
    }
}
