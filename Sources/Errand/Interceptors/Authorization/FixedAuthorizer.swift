/// Credentials that stay as they are: a token, a key, a name and a password. A refusal is the call's answer.
///
/// ```swift
/// let session = PlatformSession.platform
///     .intercepted(by: AuthorizationInterceptor(.clientID(accessKey), at: apiURL))
/// ```
public struct FixedAuthorizer: Authorizer {
    /// Whose credentials these are.
    public let identity: Credentials.Identity?
    private let credentials: Credentials

    /// Makes an authorizer of credentials.
    /// - Parameters:
    ///   - credentials: What goes into each request.
    ///   - identity: Whose they are; by default a name of this authorizer's own, so that no two share answers.
    public init(_ credentials: Credentials, identity: Credentials.Identity? = nil) {
        self.credentials = credentials
        self.identity = identity ?? Credentials.Identity(SystemRandom().uuid())
    }

    /// The credentials.
    public func credentials(for request: APIRequest) -> Credentials { credentials }
}

extension Authorizer where Self == FixedAuthorizer {
    /// A bearer token that is never refreshed (RFC 6750).
    public static func bearer(_ token: Secret) -> FixedAuthorizer { FixedAuthorizer(.bearer(token)) }

    /// A key in a header field.
    public static func apiKey(_ key: Secret, header name: String) -> FixedAuthorizer {
        FixedAuthorizer(.header(name, key))
    }

    /// A key in the query. Servers log addresses: where there is a choice, use a header field.
    ///
    /// A name that ``Redaction/standard`` does not hide is hidden inside the interceptor; hide it in the call's
    /// ``RequestOptions/redaction`` too where the server repeats it in its answers.
    public static func apiKey(_ key: Secret, query name: String) -> FixedAuthorizer {
        FixedAuthorizer(.query(name, key))
    }

    /// A name and a password (RFC 7617).
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` for a name with a colon, and for control
    ///   characters.
    public static func basic(user: String, password: Secret) throws(ServiceError) -> FixedAuthorizer {
        FixedAuthorizer(try .basic(user: user, password: password))
    }

    /// An access key as Unsplash takes it: `Authorization: Client-ID KEY`.
    public static func clientID(_ key: Secret) -> FixedAuthorizer {
        FixedAuthorizer(.header("Authorization", Secret("Client-ID " + key.reveal())))
    }
}
