import Errand
import ErrandTesting
import ErrandValkey
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

    @Test func `no process refreshes a token while the server is down`() async throws {
        let script = ScriptedSession([.text("x")])
        let endpoint = try #require(URL(string: "https://login.example/token"))
        // Nothing listens on this port.
        let client = ValkeyClient(ValkeyClient.Configuration(host: "127.0.0.1", port: 1))
        let account = try fleetAccount(
            OAuthClient(id: "reports", tokenEndpoint: endpoint, session: script), client,
            key: Secret("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="))
        let request = APIRequest(head: URLRequest(url: endpoint), body: .none)
        await #expect(throws: ServiceError.self) { try await account.credentials(for: request) }
        #expect(script.recorded.isEmpty)
    }

    @Test func `a request needs the server of its key, and not that of the cache`() async throws {
        let script = ScriptedSession([.text("x")])
        let key = Secret("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
        // Nothing listens on this port.
        let server = try #require(URL(string: "redis://127.0.0.1:1"))
        var head = URLRequest(url: try #require(URL(string: "https://api.example/photos")))
        let cache = try fleetCache(server, key: key, over: script)
        #expect(try await cache.send(APIRequest(head: head, body: .none)).head.status == 200)
        head.httpMethod = "POST"
        head.setValue("job-7", forHTTPHeaderField: "Idempotency-Key")
        let orders = try fleetOrders(
            ValkeyClient(ValkeyClient.Configuration(host: "127.0.0.1", port: 1)), key: key, over: script)
        let request = APIRequest(head: head, body: .none)
        await #expect(throws: ServiceError.self) { try await orders.send(request) }
        #expect(script.recorded.count == 1)
    }
}
