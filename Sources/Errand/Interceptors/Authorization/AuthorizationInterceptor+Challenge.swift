extension AuthorizationInterceptor {
    /// A challenge in a `WWW-Authenticate` header (RFC 9110, section 11.6.1), with properties for bearer tokens (RFC
    /// 6750, section 3).
    ///
    /// ```swift
    /// for challenge in response.head.headers.challenges where challenge.isScheme("Bearer") {
    ///     print(challenge.error ?? "no error", challenge.scope)
    /// }
    /// ```
    /// Its description contains only the scheme and the error code.
    public struct Challenge: Sendable, Hashable {
        /// A `name=value` parameter.
        public struct Parameter: Sendable, Hashable {
            /// The name as received. Names are compared case-insensitively.
            public let name: String
            /// The value without quotation marks and escapes.
            public let value: String
        }

        /// The scheme as received, such as `Bearer` or `Basic`.
        public let scheme: String
        /// The token68 value after the scheme, which replaces the list of parameters, as with `Negotiate`.
        public internal(set) var token68: String?
        /// The parameters in order.
        public internal(set) var parameters: [Parameter] = []

        init(scheme: String) {
            self.scheme = scheme
        }

        /// Parses the challenges in one header value. Malformed challenges are ignored.
        ///
        /// Only the first 16 kB of the value are parsed, and at most 32 challenges with at most 32 parameters each.
        public static func parse(_ value: String) -> [Challenge] {
            var parser = ChallengeParser(value.utf8.prefix(16_384))
            return parser.parse()
        }

        /// The value of the first parameter with a name, compared case-insensitively.
        public subscript(name: String) -> String? {
            parameters.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        /// Whether the challenge has a scheme, compared case-insensitively.
        public func isScheme(_ name: String) -> Bool { scheme.lowercased() == name.lowercased() }
    }
}

extension AuthorizationInterceptor.Challenge {
    /// The name of the protection space, as sent by the server.
    public var realm: String? { self["realm"] }
    /// The error code: `invalid_request`, `invalid_token` or `insufficient_scope` (RFC 6750, section 3.1).
    public var error: String? { self["error"] }
    /// A description of the error for developers.
    public var errorDescription: String? { self["error_description"] }
    /// The required scopes, in the order of the server.
    public var scope: [String] { (self["scope"] ?? "").split(separator: " ").map(String.init) }
}

extension AuthorizationInterceptor.Challenge: CustomStringConvertible, CustomReflectable {
    /// The scheme and the error code, without other values.
    public var description: String {
        let error = error.map { " (\(OAuthError.Code($0)))" } ?? ""
        return (Self.schemes.contains(scheme.lowercased()) ? scheme : "an unregistered scheme") + error
    }

    /// The schemes that are printed: the registered ones (RFC 9110, section 16.4.1).
    private static let schemes: Set<String> = [
        "basic", "bearer", "concealed", "digest", "dpop", "gnap", "hoba", "mutual", "negotiate", "ntlm", "oauth",
        "privatetoken", "scram-sha-1", "scram-sha-256", "vapid",
    ]

    /// A mirror that contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["challenge": description]) }
}

extension HeaderFields {
    /// The challenges in the first 16 `WWW-Authenticate` headers, in order.
    public var challenges: [AuthorizationInterceptor.Challenge] {
        all("WWW-Authenticate").prefix(16).flatMap(AuthorizationInterceptor.Challenge.parse)
    }
}
