import Errand
import ErrandTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct StubPlainSessionTests {
    @Test func `plain code reaches the stub at its URL`() async throws {
        let stub = StubSession()
        let parts = ["one ", "two ", "three"].map { Data($0.utf8) }
        stub.on(.get, "/parts", reply: .chunks(parts))
        stub.on(.get, "/late", reply: .chunks(parts).delayed(by: .milliseconds(1)).pausing(.milliseconds(1)))
        stub.on(.get, "/moved", reply: .status(301).header("Location", "/parts"))
        let responses = [
            try await stub.plainCall("/parts"), try await stub.plainCall("/late?a=1"),
            try await stub.plainCall("/moved"),
        ]
        #expect(responses == ["200 one two three", "200 one two three", "301 "])
        #expect(stub.recorded.map(\.path) == ["/parts", "/late", "/moved"])
        try stub.verify()
    }

    @Test func `a session with the stub's configuration gets responses`() async throws {
        let stub = StubSession()
        stub.on(.any, reply: .text("hello"))
        let session = URLSession(configuration: stub.configuration)
        let response = try await session.completed(URLRequest(url: stub.url))
        #expect(response == "200 hello")
        let changed = stub.configuration
        changed.protocolClasses = []
        #expect(stub.configuration.protocolClasses?.count == 1 && stub.configuration.urlCache == nil)
    }

    @Test(arguments: [
        CannedReply.failure(URLError(.dnsLookupFailed)),
        .text("0123").truncatingBody(after: 2, with: URLError(.dnsLookupFailed)),
    ])
    func `errors keep their codes`(reply: CannedReply) async throws {
        let stub = StubSession()
        stub.on(.any, reply: reply)
        let error = await #expect(throws: URLError.self) { try await stub.plainCall("/") }
        #expect(error?.code == .dnsLookupFailed)
    }

    @Test func `a cancelled task with a silent reply ends`() async throws {
        let stub = StubSession()
        stub.on(.any) { _ in .stall }
        let error = await #expect(throws: URLError.self) {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                URLSession.starts.async {
                    let task = stub.urlSession.dataTask(with: stub.url) { _, _, error in
                        continuation.resume(with: error.map { .failure($0) } ?? .success(()))
                    }
                    task.resume()
                    task.cancel()
                }
            }
        }
        #expect(error?.code == .cancelled)
    }
}
