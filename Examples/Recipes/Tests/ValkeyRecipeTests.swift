import Errand
import ErrandTesting
import Testing

@Suite struct ValkeyRecipeTests {
    @Test func `a worker sends its share while the server is down`() async throws {
        let script = ScriptedSession([.text("x")])
        // Nothing listens on this port.
        let server = try #require(URL(string: "redis://worker@127.0.0.1:1"))
        let session = try fleetSession(server, password: Secret("s3cret"), over: script)
        let url = try #require(URL(string: "https://api.example/photos"))
        #expect(try await session.send(APIRequest(head: URLRequest(url: url), body: .none)).head.status == 200)
    }
}
