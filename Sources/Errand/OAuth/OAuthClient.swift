import ErrandSupport

/// A client that is registered with an authorization server and gets tokens from it (RFC 6749).
///
/// ```swift
/// let client = OAuthClient(id: "gallery", tokenEndpoint: tokenURL)
/// let request = try client.authorizationRequest(at: authorizeURL, redirectURI: "gallery://signed-in", scope: ["read"])
/// openBrowser(request.url)                                          // later, with the URL of the callback:
/// let token = try await client.token(for: request, callback: callback)
/// ```
/// A refresh by an ``OAuthAuthorizer`` runs on the clock of the request that requires the token. Methods that a program
/// calls have a clock parameter for tests. The default is the system clock.
///
/// The client has its own session, which must not contain an ``AuthorizationInterceptor``. Redirects are not followed,
/// because the request body contains the secret. Endpoints are https, or http on a loopback host (sections 3.1 and
/// 3.2).
public struct OAuthClient: Sendable {
    /// The client authentication at the token endpoint (section 2.3).
    public enum Authentication: Sendable, Hashable {
        /// Only the identifier: programs on users' devices cannot keep a secret.
        case none
        /// The identifier and the secret as Basic credentials.
        case basic(Secret)
        /// The identifier and the secret in the body, for servers that do not support Basic credentials.
        case post(Secret)
    }

    /// The maximum size of a response: 64 kB.
    public static let responseLimit: Int = 65_536

    /// The client identifier.
    public let id: String
    let tokenEndpoint: URL
    let authentication: Authentication
    let parameters: [String: String]
    let timeout: Duration
    let session: any APISession

    /// Creates a client.
    /// - Parameters:
    ///   - id: The client identifier.
    ///   - tokenEndpoint: The URL of the token endpoint.
    ///   - authentication: The client authentication at the token endpoint. The default is ``Authentication/none``.
    ///   - parameters: Additional parameters of each token request, such as `audience` or `resource` (RFC 8707). The
    ///     parameters of the grant take precedence.
    ///   - timeout: The maximum time for one request, from its start to the end of its response. The default is 30
    ///     seconds. It also bounds a refresh, which may outlast its callers
    ///     (``OAuthAuthorizer/Settings/refreshDeadline``).
    ///   - session: The session that sends the requests. The default is the platform's session.
    public init(
        id: String, tokenEndpoint: URL, authentication: Authentication = .none,
        parameters: [String: String] = [:], timeout: Duration = .seconds(30),
        session: some APISession = .platform
    ) {
        self.id = id
        self.tokenEndpoint = tokenEndpoint
        self.authentication = authentication
        self.parameters = parameters
        self.timeout = timeout
        self.session = session
    }
}

extension OAuthClient {
    /// Requests a token for the client itself (section 4.4).
    /// - Throws: ``ServiceError``, with ``ServiceError/oauthError`` if the server refuses. `CancellationError` if the
    ///   task is cancelled.
    public func clientCredentials(
        scope: [String] = [], time: any TimeSource = .system
    ) async throws -> OAuthToken {
        try await token(["grant_type": "client_credentials", "scope": scope.parameter], on: time)
    }

    /// Requests a new token with a refresh token (section 6). If the server does not rotate refresh tokens, the result
    /// has the old one.
    /// - Throws: ``ServiceError``, also if `token` has no refresh token. `CancellationError` if the task is cancelled.
    public func refresh(_ token: OAuthToken, time: any TimeSource = .system) async throws -> OAuthToken {
        guard let refresh = token.refresh else {
            throw ServiceError(.authorization, "the token has no refresh token: sign in again")
        }
        return try await self.token(["grant_type": "refresh_token", "refresh_token": refresh.reveal()], on: time)
            .following(token)
    }

    /// Revokes the refresh token, and with it the tokens that the server derived from it (RFC 7009). Without a refresh
    /// token, revokes the access token.
    /// - Throws: ``ServiceError``. `CancellationError` if the task is cancelled.
    public func revoke(_ token: OAuthToken, at endpoint: URL, time: any TimeSource = .system) async throws {
        let hint = token.refresh == nil ? "access_token" : "refresh_token"
        let secret = token.refresh ?? token.access
        let response = try await post(["token": secret.reveal(), "token_type_hint": hint], to: endpoint, on: time)
        if response.head.status != 200 { throw TokenResponse.refusal(response) }
    }

    /// Sends a token request, and decodes its response.
    func token(_ parameters: [String: String?], on time: any TimeSource) async throws -> OAuthToken {
        let all = parameters.compactMapValues(\.self).merging(self.parameters) { own, _ in own }
        return try TokenResponse.token(try await post(all, to: tokenEndpoint, on: time), now: time.date)
    }

    /// Sends a form with the client authentication.
    func post(
        _ parameters: [String: String?], to endpoint: URL, on time: any TimeSource
    ) async throws -> APIResponse {
        var parameters = parameters
        try Self.check(endpoint)
        var head = URLRequest(url: endpoint)
        head.httpMethod = "POST"
        head.setValue("application/json", forHTTPHeaderField: "Accept")
        switch authentication {
        case .none: parameters["client_id"] = id
        case .post(let secret): (parameters["client_id"], parameters["client_secret"]) = (id, secret.reveal())
        case .basic(let secret):
            let pair = PercentEncoding.form(id) + ":" + PercentEncoding.form(secret.reveal())
            head.setValue("Basic " + Data(pair.utf8).base64EncodedString(), forHTTPHeaderField: "Authorization")
        }
        let pairs = parameters.compactMap { name, value in value.map { QueryItem(name, $0) } }
        head.setForm(QueryItems(pairs.sorted { $0.name < $1.name }))
        var options = RequestOptions()
        options.delivery = .buffered(upTo: Self.responseLimit)
        (options.time, options.deadline) = (time, .after(timeout, on: time))
        (options.idempotency, options.redirects) = (.never, .manual)
        let request = try APIRequest(head, options: options)
        return try await race(options.deadline) { [session] in
            let response = try await request.notingSecrets { try await session.send($0) }
            let body = try await response.body.collect(upTo: Self.responseLimit)
            return APIResponse(head: response.head, body: ResponseBody(body))
        }
    }

    /// Rejects an endpoint to which a secret would be sent unencrypted.
    static func check(_ endpoint: URL) throws(ServiceError) {
        guard endpoint.scheme?.lowercased() == "https" || Origin(endpoint).isLoopback else {
            throw ServiceError(
                .configuration, "invalid authorization server URL: expected https, or http on a loopback host")
        }
    }
}

extension [String] {
    /// The scopes as one parameter. `nil` for an empty array, so that the server decides.
    var parameter: String? { isEmpty ? nil : joined(separator: " ") }
}
