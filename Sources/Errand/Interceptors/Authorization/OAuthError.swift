import ErrandSupport

/// What an authorization server answers instead of a token (RFC 6749, sections 4.1.2.1 and 5.2; RFC 8628, section 3.5).
///
/// `error_description` and `error_uri` are not kept: servers repeat in them what they were sent.
///
/// It is the ``ServiceError/underlying`` cause of an error with ``ServiceError/Code/authorization``; see
/// ``ServiceError/oauthError``.
public struct OAuthError: Error, Sendable, Hashable {
    /// The error's name.
    ///
    /// Only registered names are printed. A server may send anything here, the secret of the request included.
    public struct Code: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        /// The name as the server sent it. `unreadable` if it is not a name, or holds a secret of the request.
        public let rawValue: String

        /// Names an error.
        public init(_ rawValue: String) {
            self.rawValue = Self.printable(rawValue)
        }

        /// The name if it is registered, else `an unregistered error code`.
        public var description: String { Self.registered.contains(rawValue) ? rawValue : "an unregistered error code" }
        /// The text that is safe to print.
        public var customMirror: Mirror { Mirror(self, children: ["code": description]) }

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

    /// A name from a server: 1 to 64 letters, digits and `_.-`. Other texts are not names.
    private static func printable(_ name: String) -> String {
        let isName =
            (1...64).contains(name.utf8.count) && name.utf8.allSatisfy { $0.isAlphanumeric || "_.-".utf8.contains($0) }
        return isName ? name : "unreadable"
    }

    /// A name from a server. It is `unreadable` if it holds a secret that the server was sent.
    init(_ name: String, hiding secrets: SecretFinder) {
        self.init(secrets.masked(name) == name ? name : "")
    }

    /// The error codes of RFC 6749 (sections 4.1.2.1 and 5.2), RFC 6750 (section 3.1), RFC 7009 (section 2.2.1), RFC 8628
    /// (section 3.5), RFC 8707 (section 2) and OpenID Connect Core 1.0 (section 3.1.2.6), and GitHub's code for a refresh
    /// token.
    private static let registered: Set<String> = [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
        "invalid_scope", "access_denied", "unsupported_response_type", "server_error", "temporarily_unavailable",
        "invalid_token", "insufficient_scope", "unsupported_token_type", "authorization_pending", "slow_down",
        "expired_token", "invalid_target", "interaction_required", "login_required", "account_selection_required",
        "consent_required", "bad_refresh_token",
    ]
}

extension ServiceError {
    /// What the authorization server answered, where this error comes from there.
    public var oauthError: OAuthError? { underlying as? OAuthError }

    /// The error that a server's answer stands for.
    package static func oauth(_ code: OAuthError.Code) -> ServiceError {
        ServiceError(
            .authorization, "the authorization server answered \(code)", underlying: OAuthError(code))
    }
}
