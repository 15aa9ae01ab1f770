extension Credentials {
    /// The account of a request: a name that distinguishes the users of a server, never the token itself.
    ///
    /// It is part of the keys under which interceptors share responses, so that responses are never shared between
    /// identities. Two identities are equal if their names are equal.
    public struct Identity: Sendable, Hashable, CustomStringConvertible {
        /// The name, for keys and hashes. It may be personal data, so it is never printed.
        let name: String
        /// Whether the identity belongs to one request, because the account is unknown.
        private(set) var isOfOneRequest = false
        /// Whether the identity was derived from the credentials of a request. An inner interceptor can add others.
        private(set) var isDerived = false

        /// Creates an identity. The name can be an account number, for example, or the name of an entry in a token
        /// store.
        public init(_ name: String) {
            self.name = name
        }

        /// Returns an identity for one request of an unknown account, which is equal to no other.
        static func ofOneRequest() -> Identity {
            var identity = Identity(SystemRandom().uuid())
            identity.isOfOneRequest = true
            return identity
        }

        /// Returns an identity that was derived from the credentials of a request.
        static func derived(_ name: String) -> Identity {
            var identity = Identity(name)
            identity.isDerived = true
            return identity
        }

        /// The mask of redacted text, because the name may be personal data.
        public var description: String { Redaction.mask }
    }
}

extension Credentials.Identity: ExpressibleByStringLiteral {
    /// Creates an identity from a string literal.
    public init(stringLiteral name: String) {
        self.init(name)
    }
}
