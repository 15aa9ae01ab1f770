import ErrandSupport

extension OAuthClient {
    /// A user's way through the browser: an address to open, and the callback that comes back (RFC 6749, section 4.1, with
    /// the proof of RFC 7636).
    ///
    /// It is good for one sign-in. What shows that the callback belongs to it stays in this value.
    public struct AuthorizationRequest: Sendable {
        /// What is opened in the user's browser.
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

        /// The code that a callback brings.
        ///
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/authorization``: the callback is of another request, or has no
        ///   code, or says why there is none (section 4.1.2.1; see ``ServiceError/oauthError``).
        func code(from callback: URL) throws(ServiceError) -> Secret {
            let items = callback.absoluteString.utf8.count > 65_536 ? [] : Self.items(of: callback)
            func value(_ name: String) throws(ServiceError) -> String? {
                let values = items.filter { $0.name == name }
                guard values.count < 2 else { throw ServiceError(.authorization, "the callback says \(name) twice") }
                return values.first?.value
            }
            guard let state = try value("state"), Secret(state) == self.state else {
                throw ServiceError(.authorization, "the callback is not the answer to this request")
            }
            if let problem = try value("error") {
                let secrets = SecretFinder([state, proof.verifier.reveal()])
                throw .oauth(OAuthError.Code(problem, hiding: secrets))
            }
            guard let code = try value("code"), !code.isEmpty else {
                throw ServiceError(.authorization, "the callback has no code")
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
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OAuthClient {
    /// Begins a sign-in through the browser.
    /// - Parameters:
    ///   - endpoint: The server's page; items of its query stay.
    ///   - redirectURI: Where the browser is sent back, as the server knows it.
    ///   - scope: What is asked for; nothing named leaves it to the server.
    ///   - parameters: More for the page, such as `prompt` or `login_hint`.
    ///   - random: The source of the state and the verifier. Replace it only in tests: both must be unpredictable.
    /// - Returns: The address to open, and what belongs to it.
    /// - Throws: ``ServiceError`` for an address that is not https, or none.
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

    /// Ends a sign-in: the code of the callback becomes a token (section 4.1.3; RFC 7636, section 4.5).
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/authorization`` where the callback is not the request's, or
    ///   the user or the server said no; `CancellationError`.
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
