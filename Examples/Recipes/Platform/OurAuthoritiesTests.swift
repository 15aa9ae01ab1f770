#if os(Linux)
    import Errand
    import ErrandLoopback
    import TestSupport
    import Testing

    @Suite struct OurAuthoritiesTests {
        @Test func `a session with custom authorities keeps cookies`() async throws {
            let folder = try ScratchFolder()
            let session = insideSession(trusting: try folder.file(Data(), name: "ca.pem"))
            let server = try LoopbackServer { request in
                .text(request["Cookie"] ?? "none").header("Set-Cookie", "seen=1")
            }
            let local = CustomEnvironment<APIPath>(name: "local", baseURL: BaseURL(server.url))
            let client = APIClient(environment: local, session: session)
            #expect(try await client.request(Endpoint<String>(path: "a")) == "none")
            #expect(try await client.request(Endpoint<String>(path: "a")) == "seen=1")
            await server.stop()
        }
    }
#endif
