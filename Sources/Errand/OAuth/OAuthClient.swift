import ErrandSupport

/// A program that an authorization server knows, and how it gets tokens there (RFC 6749).
///
/// ```swift
/// let client = OAuthClient(id: "gallery", tokenEndpoint: tokenURL)
/// let request = try client.authorizationRequest(at: authorizeURL, redirectURI: "gallery://signed-in", scope: ["read"])
/// openBrowser(request.url)                                          // … and the callback comes back
/// let token = try await client.token(for: request, callback: callback)
/// ```
/// A refresh by an ``OAuthAuthorizer`` runs on the clock of the request that needs the token. What a program calls itself
/// takes a clock for tests, by default the system's.
///
/// It sends over a session of its own, never through an ``AuthorizationInterceptor``; redirects are not followed, as what it
/// sends is the secret. Endpoints are https, or http on this machine alone (sections 3.1 and 3.2).
public struct OAuthClient: Sendable {
    /// How the client shows who it is at the token endpoint (section 2.3).
    public enum Authentication: Sendable, Hashable {
        /// Its identifier alone: programs on users' devices can keep no secret.
        case none
        /// Identifier and secret as Basic credentials.
        case basic(Secret)
        /// Identifier and secret in the body, for servers that can't do otherwise.
        case post(Secret)
    }

    /// The most bytes of an answer: 64 kB.
    public static let answerLimit: Int = 65_536

    /// What the server calls the client.
    public let id: String
    let tokenEndpoint: URL
    let authentication: Authentication
    let parameters: [String: String]
    let timeout: Duration
    let session: any APISession

    /// Describes a client.
    /// - Parameters:
    ///   - id: What the server calls the client.
    ///   - tokenEndpoint: Where tokens are got.
    ///   - authentication: How it shows who it is there.
    ///   - parameters: What the server wants to be told besides with each request for a token, such as `audience` or
    ///     `resource` (RFC 8707); what the grant itself says goes before them.
    ///   - timeout: The longest time for one request, from its beginning to the end of its answer: 30 seconds. It bounds
    ///     a refresh, whose callers may have gone by then (``OAuthAuthorizer/Settings/refreshDeadline``).
    ///   - session: What its requests are sent over.
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
    /// A token for the client itself (section 4.4).
    /// - Throws: ``ServiceError``, with ``ServiceError/oauthError`` where the server refuses; `CancellationError`.
    public func clientCredentials(
        scope: [String] = [], time: any TimeSource = .system
    ) async throws -> OAuthToken {
        try await token(["grant_type": "client_credentials", "scope": scope.parameter], on: time)
    }

    /// A new token for a refresh token (section 6). Where the server does not rotate, the refresh token stays.
    /// - Throws: ``ServiceError``, also where there is no refresh token; `CancellationError`.
    public func refresh(_ token: OAuthToken, time: any TimeSource = .system) async throws -> OAuthToken {
        guard let refresh = token.refresh else { throw ServiceError(.authorization, "there is no refresh token") }
        return try await self.token(["grant_type": "refresh_token", "refresh_token": refresh.reveal()], on: time)
            .following(token)
    }

    /// Makes tokens worthless (RFC 7009): the refresh token where there is one, and with it what came of it; else the
    /// access token.
    /// - Throws: ``ServiceError``; `CancellationError`.
    public func revoke(_ token: OAuthToken, at endpoint: URL, time: any TimeSource = .system) async throws {
        let hint = token.refresh == nil ? "access_token" : "refresh_token"
        let secret = token.refresh ?? token.access
        let answer = try await post(["token": secret.reveal(), "token_type_hint": hint], to: endpoint, on: time)
        if answer.head.status != 200 { throw TokenAnswer.refusal(answer) }
    }

    /// Asks the token endpoint.
    func token(_ parameters: [String: String?], on time: any TimeSource) async throws -> OAuthToken {
        let all = parameters.compactMapValues(\.self).merging(self.parameters) { own, _ in own }
        return try TokenAnswer.token(try await post(all, to: tokenEndpoint, on: time), now: time.date)
    }

    /// Sends a form, with what shows who the client is.
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
        options.delivery = .buffered(upTo: Self.answerLimit)
        (options.time, options.deadline) = (time, .after(timeout, on: time))
        (options.idempotency, options.redirects) = (.never, .manual)
        let request = try APIRequest(head, options: options)
        return try await race(options.deadline) { [session] in
            let response = try await request.notingSecrets { try await session.send($0) }
            let body = try await response.body.collect(upTo: Self.answerLimit)
            return APIResponse(head: response.head, body: ResponseBody(body))
        }
    }

    /// Refuses an endpoint to which a secret would go in the clear.
    static func check(_ endpoint: URL) throws(ServiceError) {
        guard endpoint.scheme?.lowercased() == "https" || Origin(endpoint).isLoopback else {
            throw ServiceError(.configuration, "an authorization server's address has to be https")
        }
    }
}

extension [String] {
    /// Scopes as one parameter; nil where there are none, so that the server decides.
    var parameter: String? { isEmpty ? nil : joined(separator: " ") }
}
