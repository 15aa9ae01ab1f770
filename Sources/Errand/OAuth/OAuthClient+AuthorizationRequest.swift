import ErrandSupport

extension OAuthClient {
    /// A sign-in through the browser: the URL to open, and the secrets that verify the callback (RFC 6749, section 4.1,
    /// with PKCE, RFC 7636).
    ///
    /// Use it for one sign-in only. The secrets that tie the callback to the request stay in this value.
    public struct AuthorizationRequest: Sendable {
        /// The URL to open in the user's browser.
        public let url: URL
        let redirectURI: String
        let proof: PKCE
        private let state: Secret

        fileprivate init(url: URL, redirectURI: String, proof: PKCE, state: Secret) {
            self.url = url
            self.redirectURI = redirectURI
            self.proof = proof
            self.state = state
        }

        /// Returns the authorization code of a callback.
        ///
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/authorization`` if the callback belongs to another
        ///   request, has no code, or contains an error (section 4.1.2.1, see ``ServiceError/oauthError``).
        func code(from callback: URL) throws(ServiceError) -> Secret {
            let items = callback.absoluteString.utf8.count > 65_536 ? [] : Self.items(of: callback)
            func value(_ name: String) throws(ServiceError) -> String? {
                let values = items.filter { $0.name == name }
                guard values.count < 2 else {
                    throw ServiceError(
                        .authorization, "invalid callback URL: expected at most one parameter \(name)")
                }
                return values.first?.value
            }
            guard let state = try value("state"), Secret(state) == self.state else {
                throw ServiceError(
                    .authorization, "invalid callback URL: expected the state of this authorization request")
            }
            if let problem = try value("error") {
                let secrets = SecretFinder([state, proof.verifier.reveal()])
                throw .oauth(OAuthError.Code(problem, hiding: secrets))
            }
            guard let code = try value("code"), !code.isEmpty else {
                throw ServiceError(.authorization, "invalid callback URL: expected a code parameter")
            }
            return Secret(code)
        }

        private static func items(of callback: URL) -> [(name: String, value: String)] {
            let query = URLComponents(url: callback, resolvingAgainstBaseURL: true)?.percentEncodedQuery ?? ""
            return query.split(separator: "&").prefix(100).map { item in
                let name = item.prefix { $0 != "=" }
                return (PercentEncoding.formText(name), PercentEncoding.formText(item.dropFirst(name.count + 1)))
            }
        }
    }
}

extension OAuthClient.AuthorizationRequest: CustomStringConvertible, CustomReflectable {
    /// The text that is safe to print.
    public var description: String { "AuthorizationRequest(\(Redaction.mask))" }
    /// An empty mirror: reflection shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OAuthClient {
    /// Creates the request for a sign-in through the browser.
    /// - Parameters:
    ///   - endpoint: The server's authorization page. Its query items are kept, except those that this method sets.
    ///   - redirectURI: The URI to which the server redirects the browser, as registered with the server.
    ///   - scope: The requested scope. By default, the server decides.
    ///   - parameters: Additional parameters for the page, such as `prompt` or `login_hint`.
    ///   - random: The source of the state and the verifier. Replace it only in tests: both must be unpredictable.
    /// - Returns: The request with the URL to open.
    /// - Throws: ``ServiceError`` if the endpoint URL is invalid, or is neither https nor http on a loopback host.
    public func authorizationRequest(
        at endpoint: URL, redirectURI: String, scope: [String] = [], parameters: [String: String] = [:],
        random: some RandomSource = .system
    ) throws(ServiceError) -> OAuthClient.AuthorizationRequest {
        try Self.check(endpoint)
        let proof = PKCE(random: random)
        let state = Base64URL.encode(random.bytes(16))
        var all: [String: String] = parameters
        all["response_type"] = "code"
        all["client_id"] = id
        all["redirect_uri"] = redirectURI
        all["scope"] = scope.parameter ?? parameters["scope"]
        all["state"] = state
        all["code_challenge"] = proof.challenge
        all["code_challenge_method"] = "S256"
        let items = all.sorted { $0.key < $1.key }.map { QueryItem($0.key, $0.value) }
        let url = try QueryItems(items).merge(into: endpoint)
        return OAuthClient.AuthorizationRequest(url: url, redirectURI: redirectURI, proof: proof, state: Secret(state))
    }

    /// Exchanges the code of a callback for a token (section 4.1.3; RFC 7636, section 4.5).
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/authorization`` if the callback does not belong to the
    ///   request, or if the user or the server refuses. `CancellationError` if the task is cancelled.
    public func token(
        for request: OAuthClient.AuthorizationRequest, callback: URL, time: any TimeSource = .system
    ) async throws -> OAuthToken {
        let code = try request.code(from: callback)
        let parameters: [String: String?] = [
            "grant_type": "authorization_code", "code": code.reveal(), "redirect_uri": request.redirectURI,
            "code_verifier": request.proof.verifier.reveal(), "client_id": id,
        ]
        return try await token(parameters, on: time)
    }
}
