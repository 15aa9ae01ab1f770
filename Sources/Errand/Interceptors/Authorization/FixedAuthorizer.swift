/// An authorizer with constant credentials: a token, a key, or a user name and a password. A 401 response is returned
/// to the caller.
///
/// ```swift
/// let session = PlatformSession.platform
///     .intercepted(by: AuthorizationInterceptor(.clientID(accessKey), at: apiURL))
/// ```
public struct FixedAuthorizer: Authorizer {
    /// The identity of the credentials.
    public let identity: Credentials.Identity?
    private let credentials: Credentials

    /// Creates an authorizer.
    /// - Parameters:
    ///   - credentials: The credentials for each request.
    ///   - identity: The identity of the credentials. If `nil` (the default), a unique identity is created, so that
    ///     two authorizers never share responses.
    public init(_ credentials: Credentials, identity: Credentials.Identity? = nil) {
        self.credentials = credentials
        self.identity = identity ?? Credentials.Identity(SystemRandom().uuid())
    }

    /// Returns the credentials.
    public func credentials(for request: APIRequest) -> Credentials { credentials }
}

extension Authorizer where Self == FixedAuthorizer {
    /// An authorizer with a bearer token that is never refreshed (RFC 6750).
    public static func bearer(_ token: Secret) -> FixedAuthorizer { FixedAuthorizer(.bearer(token)) }

    /// An authorizer with a key in a header.
    public static func apiKey(_ key: Secret, header name: String) -> FixedAuthorizer {
        FixedAuthorizer(.header(name, key))
    }

    /// An authorizer with a key in the query. Servers log URLs, so prefer a header if the server supports both.
    ///
    /// If ``Redaction/standard`` does not hide the name, it is hidden only inside the interceptor. If the server
    /// repeats the key in its responses, also hide the name in the ``RequestOptions/redaction`` of the request.
    public static func apiKey(_ key: Secret, query name: String) -> FixedAuthorizer {
        FixedAuthorizer(.query(name, key))
    }

    /// An authorizer with a user name and a password (RFC 7617).
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` if the user name contains a colon, or if
    ///   either contains a control character.
    public static func basic(user: String, password: Secret) throws(ServiceError) -> FixedAuthorizer {
        FixedAuthorizer(try .basic(user: user, password: password))
    }

    /// An authorizer with an access key in the format of Unsplash: `Authorization: Client-ID KEY`.
    public static func clientID(_ key: Secret) -> FixedAuthorizer {
        FixedAuthorizer(.header("Authorization", Secret("Client-ID " + key.reveal())))
    }
}
