import Errand
import ErrandLoopback
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct UploadProgressTests {
    @Test func `a scan with two fields is uploaded with progress`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.file(Data(count: 1 << 20), name: "page.pdf")
        try await LoopbackServer.withServer { request in
            let parts = request.parts ?? []
            let isComplete = parts.map(\.name) == ["title", "album", "scan"] && parts.last?.body.count == 1 << 20
            return isComplete ? .json(#"{"id":"9"}"#) : .status(400)
        } _: { server in
            let local = CustomEnvironment<APIPath>(name: "local", baseURL: BaseURL(server.url))
            let loader = APILoader(ScanUpload(environment: local))
            var shown: [Double] = []
            let receipt = try await send(Scan(title: "Deed", album: "House", file: file), with: loader) {
                shown.append($0)
            }
            #expect(receipt == Receipt(id: "9"))
            #expect(shown.last == 1 && shown == shown.sorted(), "\(shown)")
        }
    }

    @Test func `an endpoint uploads a form`() async throws {
        let session = ScriptedSession([.json(#"{"id":"7"}"#)])
        let file = try ScratchFolder().file(Data("PNG".utf8), name: "ada.png")
        let client = APIClient(environment: ShopEnvironment.production, session: session)
        #expect(try await client.request(.upload(Avatar(title: "Ada", url: file))).id == "7")
        let sent = try #require(session.recorded.first)
        #expect(sent.headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
        guard case .multipart(let form) = sent.body else { throw ServiceError(.encoding, "\(sent.body)") }
        #expect(form.parts.map(\.name) == ["title", "picture"])
    }
}
