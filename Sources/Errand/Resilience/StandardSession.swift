/// A session inside the whole stack of layers, in the order in which they belong: ``APISession/standard(authorization:coalescing:retry:breaker:rateLimit:over:)``.
public struct StandardSession: APISession {
    private let layered: any APISession

    fileprivate init(_ layers: [(any Interceptor)?], over session: some APISession) {
        layered = session.intercepted(by: layers.compactMap(\.self))
    }

    /// Sends a request through the layers.
    public func send(_ request: APIRequest) async throws -> APIResponse {
        try await layered.send(request)
    }
}

extension APISession where Self == StandardSession {
    /// A session with every layer that a serious client wants, outermost first; nil leaves one out.
    ///
    /// ```swift
    /// let session: StandardSession = .standard(authorization: AuthorizationLayer(account, at: apiURL))
    /// let photos = try await APILoader(GalleryAPI(environment: environment), session: session).load(query)
    /// ```
    /// The order is what makes them right together:
    ///
    /// | | layer | because |
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
    /// - Returns: The session; make it once, as the layers know what happened before.
    public static func standard(
        authorization: AuthorizationLayer? = nil, coalescing: CoalescingLayer? = CoalescingLayer(),
        retry: RetryLayer? = RetryLayer(), breaker: CircuitBreakerLayer? = CircuitBreakerLayer(),
        rateLimit: RateLimitLayer? = RateLimitLayer(), over session: some APISession = .platform
    ) -> StandardSession {
        let identity = authorization.map(IdentityLayer.init(of:)) ?? IdentityLayer()
        return StandardSession([identity, coalescing, authorization, retry, rateLimit, breaker], over: session)
    }
}
