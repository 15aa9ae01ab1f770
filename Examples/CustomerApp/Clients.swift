package import Errand

/// A client for endpoints that require no account. Tests can replace it with their own `ClientProtocol`.
package struct Client: ClientProtocol {
    private let raw: APIClient

    package init(environment: ShopEnvironment, session: some APISession = .platform) {
        raw = APIClient(environment: environment, session: session)
    }

    package func request<Response>(_ endpoint: Endpoint<Response>) async throws(ServiceError) -> Response {
        try await raw.request(endpoint)
    }
}

/// Creates the clients. Only this type adds credentials to a session, so only this type names a scope.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
package struct Shop: Sendable {
    package let environment: ShopEnvironment
    /// Counts the requests in flight of all clients.
    package let activity: ActivityTracker
    private let session: any APISession

    package init(at url: URL, session: some APISession = .platform) {
        environment = ShopEnvironment(name: "shop", baseURL: BaseURL(url))
        activity = ActivityTracker()
        self.session = session.intercepted(by: activity)
    }

    package var guest: AuthorizedClient<Scope.Guest> {
        AuthorizedClient(environment: environment, session: session)
    }

    /// A client for customers. It refreshes its token when the token expires or the server rejects it.
    package func customer(_ token: OAuthToken) throws -> AuthorizedClient<Scope.Customer> {
        let oauth = OAuthClient(
            id: "shop-app", tokenEndpoint: try environment.url(for: "oauth/token"), session: session)
        let account = OAuthAuthorizer(oauth, store: MemoryTokenStore(token))
        let interceptor = try AuthorizationInterceptor(account, at: environment)
        return AuthorizedClient(environment: environment, session: session.intercepted(by: interceptor))
    }

    package var locations: APILoader<AutocompleteAPI> {
        APILoader(AutocompleteAPI(environment: environment), session: session)
    }
}
