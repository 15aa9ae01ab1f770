extension Credentials {
    /// Whose credentials a call carries: a name that tells one user of a server from another, never the token itself.
    ///
    /// It is part of the keys under which interceptors share answers, so that nobody gets what another was sent. Two values are
    /// equal where their names are.
    public struct Identity: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        /// Names an identity: an account's number, the name of a store's place.
        public init(_ name: String) {
            self.name = name
        }

        /// The text that is safe to print: a name may be somebody's.
        public var description: String { Redaction.mask }
    }
}

extension Credentials.Identity: ExpressibleByStringLiteral {
    /// Names an identity.
    public init(stringLiteral name: String) {
        self.init(name)
    }
}
