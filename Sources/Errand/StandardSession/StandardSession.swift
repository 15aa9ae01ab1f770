/// A session inside the whole stack of interceptors, in the order in which they belong:
/// ``APISession/standard(authorization:coalescing:retry:breaker:rateLimit:over:)``.
public struct StandardSession: APISession {
    private let layered: any APISession

    fileprivate init(_ interceptors: [(any Interceptor)?], over session: some APISession) {
        layered = session.intercepted(byAll: interceptors.compactMap(\.self))
    }

    /// Sends a request through the interceptors.
    public func send(_ request: APIRequest) async throws -> APIResponse {
        try await layered.send(request)
    }
}

extension APISession where Self == StandardSession {
    /// A session with every interceptor that a serious client wants, outermost first; nil leaves one out.
    ///
    /// ```swift
    /// let session: StandardSession = .standard(authorization: AuthorizationInterceptor(account, at: apiURL))
    /// let photos = try await APILoader(GalleryAPI(environment: environment), session: session).load(query)
    /// ```
    /// The order is what makes them right together:
    ///
    /// | | interceptor | because |
    /// |---|---|---|
    /// | 1 | identity | who is asking is part of what may be shared |
    /// | 2 | coalescing | what is shared needs no token, and waits for nobody's repetition of its own |
    /// | 3 | authorization | a refresh is no repetition, and a token that expires in a long wait is replaced |
    /// | 4 | retry | each attempt is counted, limited and refused for itself |
    /// | 5 | rate limit | each attempt counts, and waits for its turn |
    /// | 6 | circuit breaker | a wait for one's turn is no fault of the host's |
    /// | 7 | redirects, transport | ``PlatformSession`` and every `URLSession` bring them |
    /// - Parameters:
    ///   - authorization: Whose credentials go where; nobody's by default.
    ///   - coalescing: Sends what is the same once.
    ///   - retry: Sends again what failed for a reason that may pass: three attempts.
    ///   - breaker: Leaves a host alone that is down.
    ///   - rateLimit: Keeps to what hosts say of their limits.
    ///   - session: What is inside; the platform's by default.
    /// - Returns: The session; make it once, as the interceptors know what happened before.
    public static func standard(
        authorization: AuthorizationInterceptor? = nil, coalescing: CoalescingInterceptor? = CoalescingInterceptor(),
        retry: RetryInterceptor? = RetryInterceptor(),
        breaker: CircuitBreakerInterceptor? = CircuitBreakerInterceptor(),
        rateLimit: RateLimitInterceptor? = RateLimitInterceptor(), over session: some APISession = .platform
    ) -> StandardSession {
        let identity = authorization.map(IdentityInterceptor.init(of:)) ?? IdentityInterceptor()
        return StandardSession([identity, coalescing, authorization, retry, rateLimit, breaker], over: session)
    }
}
