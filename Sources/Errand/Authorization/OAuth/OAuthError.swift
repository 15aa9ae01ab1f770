/// What an authorization server answers instead of a token (RFC 6749, sections 4.1.2.1 and 5.2; RFC 8628, section 3.5).
///
/// It is the ``ServiceError/underlying`` cause of an error with ``ServiceError/Code/authorization``; see
/// ``ServiceError/oauthError``.
public struct OAuthError: Error, Sendable, Hashable {
    /// The error's name.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name as the server sent it, or `unreadable` where that is none.
        public let rawValue: String

        /// Names an error.
        public init(_ rawValue: String) {
            self.rawValue = Self.printable(rawValue)
        }

        /// The text that is safe to print.
        public var description: String { rawValue }

        /// The refresh token, the code or the device code is not valid any more: somebody has to sign in anew. GitHub
        /// says `bad_refresh_token` of the first.
        public static let invalidGrant: Self = .init("invalid_grant")
        /// The client is not known, or its secret is wrong.
        public static let invalidClient: Self = .init("invalid_client")
        /// The scope is not known, or is more than was granted.
        public static let invalidScope: Self = .init("invalid_scope")
        /// The user, or the server, said no.
        public static let accessDenied: Self = .init("access_denied")
        /// The user has not decided yet.
        public static let authorizationPending: Self = .init("authorization_pending")
        /// The same, and it was asked too soon.
        public static let slowDown: Self = .init("slow_down")
        /// The device code is too old.
        public static let expiredToken: Self = .init("expired_token")
    }

    /// The error's name.
    public let code: Code

    /// Makes an error.
    public init(_ code: Code) {
        self.code = code
    }
}

extension OAuthError.Code {
    /// Whether a refresh token is worth nothing any more.
    package var isRefusedGrant: Bool { self == .invalidGrant || rawValue == "bad_refresh_token" }

    /// A server's name of an error where it is one: up to 64 letters, digits and `_.-`. Anything else may hold anything.
    static func printable(_ name: String) -> String {
        let isName =
            (1...64).contains(name.utf8.count) && name.utf8.allSatisfy { $0.isAlphanumeric || "_.-".utf8.contains($0) }
        return isName ? name : "unreadable"
    }
}

extension ServiceError {
    /// What the authorization server answered, where this error comes from there.
    public var oauthError: OAuthError? { underlying as? OAuthError }

    /// The error that a server's answer stands for.
    package static func oauth(_ code: OAuthError.Code) -> ServiceError {
        ServiceError(
            .authorization, "the authorization server answered \(code.rawValue)", underlying: OAuthError(code))
    }
}
