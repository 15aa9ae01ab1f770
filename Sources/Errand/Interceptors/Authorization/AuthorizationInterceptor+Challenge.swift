extension AuthorizationInterceptor {
    /// What a server asks for in `WWW-Authenticate` (RFC 9110, section 11.6.1), with the members that bearer tokens have
    /// (RFC 6750, section 3).
    ///
    /// ```swift
    /// for challenge in response.head.fields.challenges where challenge.isScheme("Bearer") {
    ///     print(challenge.error ?? "no error", challenge.scope)
    /// }
    /// ```
    /// Its description shows the scheme and the error's name alone.
    public struct Challenge: Sendable, Hashable {
        /// One `name=value`.
        public struct Parameter: Sendable, Hashable {
            /// The name as it was written; names are compared without case.
            public let name: String
            /// The value without quotes and escapes.
            public let value: String
        }

        /// The scheme as it was written: `Bearer`, `Basic`.
        public let scheme: String
        /// What follows the scheme where that is no list of parameters, as with `Negotiate`.
        public internal(set) var token68: String?
        /// The parameters in their order.
        public internal(set) var parameters: [Parameter] = []

        init(scheme: String) {
            self.scheme = scheme
        }

        /// The challenges of one field's value; what can't be read is left out.
        ///
        /// Of each value the first 16 kB count, and at most 32 challenges of at most 32 parameters.
        public static func parse(_ value: String) -> [Challenge] {
            var parser = ChallengeParser(value.utf8.prefix(16_384))
            return parser.parse()
        }

        /// The first value of a parameter's name, compared without case.
        public subscript(name: String) -> String? {
            parameters.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        /// Whether this is the challenge of a scheme, compared without case.
        public func isScheme(_ name: String) -> Bool { scheme.lowercased() == name.lowercased() }
    }
}

extension AuthorizationInterceptor.Challenge {
    /// What is protected, in the server's words.
    public var realm: String? { self["realm"] }
    /// The error's name: `invalid_request`, `invalid_token`, `insufficient_scope` (RFC 6750, section 3.1).
    public var error: String? { self["error"] }
    /// The error in words for developers.
    public var errorDescription: String? { self["error_description"] }
    /// The scopes that are needed, in the server's order.
    public var scope: [String] { (self["scope"] ?? "").split(separator: " ").map(String.init) }
}

extension AuthorizationInterceptor.Challenge: CustomStringConvertible, CustomReflectable {
    /// The text that is safe to print.
    public var description: String {
        let error = error.map { " (\(OAuthError.Code($0)))" } ?? ""
        return (Self.schemes.contains(scheme.lowercased()) ? scheme : "another scheme") + error
    }

    /// The schemes that are printed: the registered ones (RFC 9110, section 16.4.1).
    private static let schemes: Set<String> = [
        "basic", "bearer", "concealed", "digest", "dpop", "gnap", "hoba", "mutual", "negotiate", "ntlm", "oauth",
        "privatetoken", "scram-sha-1", "scram-sha-256", "vapid",
    ]

    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["challenge": description]) }
}

extension HeaderFields {
    /// The challenges of all `WWW-Authenticate` lines, in their order; of the first 16 lines.
    public var challenges: [AuthorizationInterceptor.Challenge] {
        all("WWW-Authenticate").prefix(16).flatMap(AuthorizationInterceptor.Challenge.parse)
    }
}
