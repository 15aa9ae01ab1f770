import Errand
import ErrandTesting
import Testing

@Suite struct AuthorizationRecipeTests {
    @Test func `the session of an account sends its token only to the API`() async throws {
        let api = try GalleryEnvironment.production.url(for: .photos)
        let server = ScriptedSession([])
        let account = OAuthAuthorizer(OAuthClient(id: "x", tokenEndpoint: api, session: server))
        try await account.signIn(OAuthToken(access: Secret("t0ken")))
        let script = ScriptedSession([.json("[]"), .json("[]")])
        let session = accountSession(account, at: api, over: script)
        for environment in [GalleryEnvironment.production, .staging] {
            _ = try await APILoader(GalleryAPI(environment: environment), session: session).load(GalleryQuery())
        }
        #expect(script.recorded.map { $0.headers["Authorization"] } == ["Bearer t0ken", nil])
    }

    @Test func `a custom interceptor adds its header`() async throws {
        let session = ScriptedSession([.json("[]")])
        let intercepted = signedIn(Secret("abc"), on: session)
        _ = try await APILoader(GalleryAPI(environment: .production), session: intercepted).load(
            GalleryQuery())
        #expect(session.recorded.first?.head.value(forHTTPHeaderField: "Authorization") == "Bearer abc")
    }

    @Test func `each scope sends its permitted requests`() async throws {
        let session = ScriptedSession([
            .json(#"[{"title":"Tea"}]"#), .json(#"{"id":"7","name":"Ada"}"#), .status(204),
        ])
        let guest = AuthorizedClient<Scope.Guest>(environment: ShopEnvironment.production, session: session)
        let customer = signedIn(as: Scope.Customer.self, Secret("c"), over: session)
        #expect(try await welcome(guest, customer) == "Ada, there are 1 offers")
        let other = signedIn(as: Scope.Customer.self, Secret("d"), over: session)
        try await other.request(Shop.withdraw(Offer(title: "Tea")))
        let tokens = session.recorded.map { $0.head.value(forHTTPHeaderField: "Authorization") }
        #expect(tokens == [nil, "Bearer c", "Bearer d"])
    }

    @Test func `an account signs in, refreshes, ends and signs out`() async throws {
        let token = #"{"access_token":"a1","refresh_token":"r1","token_type":"Bearer"}"#
        let server = ScriptedSession([
            .json(token), .json(token.replacing("1", with: "2")), .json(#"{"error":"invalid_grant"}"#, status: 400),
            .json(token), .status(200),
        ])
        let url = try #require(URL(string: "https://id.shop.example/"))
        let api = ScriptedSession([
            .status(401), .json(#"{"id":"7","name":"Ada"}"#), .status(401), .json(#"{"id":"7","name":"Ada"}"#),
        ])
        let (clock, ends) = (ManualClock(), InstantClock())
        let account = try Account(
            OAuthClient(id: "app", tokenEndpoint: url, session: server), store: MemoryTokenStore(), over: api,
            time: clock, whenEnded: { ends.advance(by: .seconds(1)) })
        let browser: (URL) async throws -> URL = { page in
            let items = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems ?? []
            let state = items.first { $0.name == "state" }?.value ?? ""
            return try #require(URL(string: "shop://signed-in?code=c0de&state=\(state)"))
        }
        try await account.signIn(at: url, through: browser)
        #expect(try await account.shop.request(Shop.profile()).name == "Ada")
        #expect(api.recorded.map { $0.headers["Authorization"] } == ["Bearer a1", "Bearer a2"])
        clock.advance(by: .seconds(2))
        let error = await #expect(throws: ServiceError.self) { try await account.shop.request(Shop.profile()) }
        #expect(error?.code == .authorization && error?.oauthError?.code == .invalidGrant)
        #expect(ends.now == .seconds(1))
        try await account.signIn(at: url, through: browser)
        #expect(try await account.shop.request(Shop.profile()).name == "Ada")
        try await account.signOut(revokingAt: url)
        try await account.signOut(revokingAt: url)
        try server.verify()
    }
}
