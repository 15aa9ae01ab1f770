/// Whose credentials go with a request, and what is done where a server refuses them.
///
/// ``AuthorizationInterceptor`` asks it. Ready ones: ``FixedAuthorizer`` for what does not change (a token, a key, a name and a
/// password), ``OAuthAuthorizer`` for tokens that are refreshed.
public protocol Authorizer: Sendable {
    /// Whose credentials these are, never the token. It does not change: nil where they are another's from call to call, or
    /// nobody may know, so that no answer is shared.
    var identity: Credentials.Identity? { get }

    /// The credentials for a request. It keeps to the request's deadline, and ends promptly when the task is cancelled.
    /// - Throws: ``ServiceError``, `CancellationError`.
    func credentials(for request: APIRequest) async throws -> Credentials

    /// Decides after a 401 whether the request is sent once more, with what; by default it is not.
    ///
    /// It keeps to the deadline of the refusal's request.
    /// - Throws: ``ServiceError``, which becomes the call's; `CancellationError`.
    func react(to refusal: AuthorizationInterceptor.Refusal, of credentials: Credentials) async throws
        -> AuthorizationInterceptor.Decision
}

extension Authorizer {
    /// Leaves the refusal to the caller.
    public func react(to refusal: AuthorizationInterceptor.Refusal, of credentials: Credentials) async throws
        -> AuthorizationInterceptor.Decision
    { .giveUp }
}

extension AuthorizationInterceptor {
    /// A server's 401.
    public struct Refusal: Sendable {
        /// The answer's head.
        public let head: ResponseHead
        /// The request that was refused, with its credentials.
        public let request: APIRequest
        /// What the server asks for.
        public let challenges: [AuthorizationInterceptor.Challenge]

        /// Makes a refusal, for tests of your own authorizers.
        public init(_ head: ResponseHead, of request: APIRequest) {
            self.head = head
            self.request = request
            challenges = head.fields.challenges
        }
    }
}

extension AuthorizationInterceptor {
    /// What follows from a refusal.
    public enum Decision: Sendable {
        /// The request is sent once more, with these credentials.
        case replay(Credentials)
        /// The refusal is the call's answer.
        case giveUp
    }
}
