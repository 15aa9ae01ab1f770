/// A source of credentials for requests. It also decides whether to send a request again after a 401 response.
///
/// It is used by ``AuthorizationInterceptor``. ``FixedAuthorizer`` is for constant credentials: a token, a key, or a
/// user name and a password. ``OAuthAuthorizer`` is for tokens that are refreshed.
public protocol Authorizer: Sendable {
    /// The constant identity of the credentials, never the token. If `nil`, the identity varies between requests or is
    /// unknown, and responses are not shared.
    var identity: Credentials.Identity? { get }

    /// Returns the credentials for a request. The method must respect the deadline of the request, and must end
    /// promptly when the task is cancelled.
    /// - Throws: ``ServiceError``, `CancellationError`.
    func credentials(for request: APIRequest) async throws -> Credentials

    /// Decides after a 401 response whether the request is sent again, and with which credentials. By default, it is
    /// not sent again.
    ///
    /// The method must respect the deadline of the refused request.
    /// - Throws: ``ServiceError``, which is passed on to the caller. `CancellationError`.
    func react(to refusal: AuthorizationInterceptor.Refusal, of credentials: Credentials) async throws
        -> AuthorizationInterceptor.Decision
}

extension Authorizer {
    /// Returns ``AuthorizationInterceptor/Decision/giveUp``.
    public func react(to refusal: AuthorizationInterceptor.Refusal, of credentials: Credentials) async throws
        -> AuthorizationInterceptor.Decision
    { .giveUp }
}

extension AuthorizationInterceptor {
    /// A response with status 401.
    public struct Refusal: Sendable {
        /// The status and headers of the response.
        public let head: ResponseHead
        /// The refused request, with its credentials.
        public let request: APIRequest
        /// The challenges in the response.
        public let challenges: [AuthorizationInterceptor.Challenge]

        /// Creates a refusal for tests of your authorizers.
        public init(_ head: ResponseHead, of request: APIRequest) {
            self.head = head
            self.request = request
            challenges = head.headers.challenges
        }
    }
}

extension AuthorizationInterceptor {
    /// The decision after a 401 response.
    public enum Decision: Sendable {
        /// Send the request again with these credentials.
        case replay(Credentials)
        /// Return the 401 response to the caller.
        case giveUp
    }
}
