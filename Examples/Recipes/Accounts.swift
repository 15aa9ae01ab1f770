import Errand

/// The objects of one account. Create them once, and keep them until the user signs out.
struct Account: Sendable {
    let client: OAuthClient
    let tokens: OAuthAuthorizer
    let shop: AuthorizedClient<Scope.Customer>

    init(
        _ client: OAuthClient, store: some TokenStore, over session: some APISession = .platform,
        time: some TimeSource = .system, whenEnded: @escaping @Sendable () -> Void
    ) throws(ServiceError) {
        self.client = client
        tokens = OAuthAuthorizer(client, store: store) { event in
            if case .sessionEnded = event { whenEnded() }
        }
        let interceptor = try AuthorizationInterceptor(tokens, at: ShopEnvironment.production)
        let intercepted: StandardSession = .standard(authorization: interceptor, over: session)
        shop = AuthorizedClient(environment: ShopEnvironment.production, session: intercepted, time: time)
    }

    func signIn(at page: URL, through browser: (URL) async throws -> URL) async throws {
        let request = try client.authorizationRequest(at: page, redirectURI: "shop://signed-in", scope: ["orders"])
        let callback = try await browser(request.url)
        try await tokens.signIn(try await client.token(for: request, callback: callback))
    }

    func signOut(revokingAt endpoint: URL) async throws {
        guard let token = try await tokens.signOut() else { return }
        try await client.revoke(token, at: endpoint)
    }
}
