import ErrandSupport

/// An error response of an authorization server (RFC 6749, sections 4.1.2.1 and 5.2; RFC 8628, section 3.5).
///
/// `error_description` and `error_uri` are not stored, because servers may repeat received secrets in them.
///
/// It is the ``ServiceError/underlying`` cause of an error with ``ServiceError/Code/authorization``. See
/// ``ServiceError/oauthError``.
public struct OAuthError: Error, Sendable, Hashable {
    /// The error code.
    ///
    /// Only registered codes are printed. A server may send any text here, including a secret of the request.
    public struct Code: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        /// The code as received. It is `unreadable` if the text is not a valid name or contains a secret of the
        /// request.
        public let rawValue: String

        /// Creates an error code.
        public init(_ rawValue: String) {
            self.rawValue = Self.printable(rawValue)
        }

        /// The code if it is registered. Otherwise `an unregistered error code`.
        public var description: String { Self.registered.contains(rawValue) ? rawValue : "an unregistered error code" }
        /// A mirror that contains only the description.
        public var customMirror: Mirror { Mirror(self, children: ["code": description]) }

        /// The refresh token, authorization code or device code is invalid or expired, and the user must sign in
        /// again. GitHub sends `bad_refresh_token` for a refresh token.
        public static let invalidGrant: Self = .init("invalid_grant")
        /// The client is unknown, or its secret is wrong.
        public static let invalidClient: Self = .init("invalid_client")
        /// The scope is unknown or exceeds the granted scope.
        public static let invalidScope: Self = .init("invalid_scope")
        /// The user or the server denied the request.
        public static let accessDenied: Self = .init("access_denied")
        /// The user has not decided yet.
        public static let authorizationPending: Self = .init("authorization_pending")
        /// The user has not decided yet, and the client polls too frequently.
        public static let slowDown: Self = .init("slow_down")
        /// The device code has expired.
        public static let expiredToken: Self = .init("expired_token")
    }

    /// The error code.
    public let code: Code

    /// Creates an error.
    public init(_ code: Code) {
        self.code = code
    }
}

extension OAuthError.Code {
    /// Whether the refresh token was rejected.
    package var isRefusedGrant: Bool { self == .invalidGrant || rawValue == "bad_refresh_token" }

    /// Returns a received code if it has 1 to 64 letters, digits and `_.-`, or `unreadable` for any other text.
    private static func printable(_ name: String) -> String {
        let isName =
            (1...64).contains(name.utf8.count) && name.utf8.allSatisfy { $0.isAlphanumeric || "_.-".utf8.contains($0) }
        return isName ? name : "unreadable"
    }

    /// Creates a code from a received text. The code is `unreadable` if the text contains a secret that was sent to
    /// the server.
    init(_ name: String, hiding secrets: SecretFinder) {
        self.init(secrets.masked(name) == name ? name : "")
    }

    /// The error codes of RFC 6749 (sections 4.1.2.1 and 5.2), RFC 6750 (section 3.1), RFC 7009 (section 2.2.1), RFC
    /// 8628 (section 3.5), RFC 8707 (section 2) and OpenID Connect Core 1.0 (section 3.1.2.6), and GitHub's code for a
    /// refresh token.
    private static let registered: Set<String> = [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
        "invalid_scope", "access_denied", "unsupported_response_type", "server_error", "temporarily_unavailable",
        "invalid_token", "insufficient_scope", "unsupported_token_type", "authorization_pending", "slow_down",
        "expired_token", "invalid_target", "interaction_required", "login_required", "account_selection_required",
        "consent_required", "bad_refresh_token",
    ]
}

extension ServiceError {
    /// The error of the authorization server, or `nil` if this error has another cause.
    public var oauthError: OAuthError? { underlying as? OAuthError }

    /// The error for an error code of an authorization server.
    package static func oauth(_ code: OAuthError.Code) -> ServiceError {
        ServiceError(
            .authorization, "the authorization server returned \(code)", underlying: OAuthError(code))
    }
}
