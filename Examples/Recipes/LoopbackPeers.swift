import Errand
import ErrandLoopback
import Testing

@Test func `a truncated body is an error`() async throws {
    let server = try LoopbackServer { request in
        request.path == "/photos" ? .json(#"[{"id":"1"}]"#).truncatingBody(after: 5) : .status(404)
    }
    let local = CustomEnvironment<APIPath>(name: "local", baseURL: BaseURL(server.url))
    let client = APIClient(environment: local)
    let error = await #expect(throws: ServiceError.self) {
        try await client.request(Endpoint<[Photo]>(path: "photos"))
    }
    #expect(error?.code == .connectionLost)
    await server.stop()
}
