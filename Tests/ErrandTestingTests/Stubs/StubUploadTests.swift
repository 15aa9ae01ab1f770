import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct StubUploadTests {
    @Test(arguments: ["file", "stream", "data"])
    func `an upload is recorded with its bytes and without framing headers`(kind: String) async throws {
        let folder = try ScratchFolder()
        let bytes = Data(repeating: 7, count: 200_000)
        let body: RequestBody =
            switch kind {
            case "file": .file(try folder.file(bytes))
            case "stream": .stream { AsyncParts([bytes.prefix(5), bytes.dropFirst(5)]) }
            default: .data(bytes)
            }
        let stub = StubSession()
        stub.on(.put, "/a", body: .data(bytes), reply: .status(204))
        var head = URLRequest(url: stub.url.appending(path: "a"))
        head.httpMethod = "PUT"
        let response = try await stub.send(APIRequest(head: head, body: body))
        #expect(response.head.status == 204)
        #expect(stub.recorded.map(\.body) == [.data(bytes)])
        #expect(stub.recorded.first?.headers["Content-Length"] == nil)
        #expect(stub.recorded.first?.headers["Transfer-Encoding"] == nil)
        try stub.verify()
    }
}
