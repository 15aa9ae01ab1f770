import Errand
import ErrandTesting
import ErrandValkey
import Testing

@Suite struct ValkeyRecipeTests {
    /// Nothing listens on this port.
    private func client() throws -> ValkeyClient {
        ValkeyClient(ValkeyClient.Configuration(host: "127.0.0.1", port: 1))
    }

    private func request() throws -> APIRequest {
        APIRequest(head: URLRequest(url: try #require(URL(string: "https://api.example/photos"))), body: .none)
    }

    @Test func `a worker sends its share while the server is down`() async throws {
        let session = ScriptedSession([.text("x")]).intercepted(by: fleetLimit(try client()))
        #expect(try await session.send(request()).head.status == 200)
    }

    @Test func `a worker without a token sends nothing while the server is down`() async throws {
        let script = ScriptedSession([.text("x")])
        let session = try await fleetSession(
            try #require(URL(string: "redis://worker@127.0.0.1:1")), password: Secret("s3cret"),
            key: Secret("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
            oauth: OAuthClient(
                id: "reports", tokenEndpoint: try #require(URL(string: "https://login.example/token")), session: script),
            api: try #require(URL(string: "https://api.example")), over: script)
        let error = await #expect(throws: ServiceError.self) { try await session.send(request()) }
        #expect(error?.code == .connection && script.recorded.isEmpty)
    }
}
