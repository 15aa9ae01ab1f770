/// A session with the complete stack of interceptors in the required order. Create it with
/// ``APISession/standard(authorization:coalescing:cache:idempotency:retry:breaker:rateLimit:over:)``.
public struct StandardSession: APISession {
    private let session: any APISession

    fileprivate init(_ interceptors: [(any Interceptor)?], over session: some APISession) {
        self.session = session.intercepted(byAll: interceptors.compactMap(\.self))
    }

    /// Sends a request through the interceptors.
    public func send(_ request: APIRequest) async throws -> APIResponse {
        try await session.send(request)
    }
}

extension APISession where Self == StandardSession {
    /// Returns a session with all interceptors for production use. If `nil` is passed for an interceptor, it is
    /// omitted.
    ///
    /// ```swift
    /// let session: StandardSession = .standard(authorization: AuthorizationInterceptor(account, at: apiURL))
    /// let photos = try await APILoader(GalleryAPI(environment: environment), session: session).load(query)
    /// ```
    /// The interceptors depend on their order, from the outermost to the innermost:
    ///
    /// | | interceptor | reason for the position |
    /// |---|---|---|
    /// | 1 | identity | the identity determines which requests may share a response |
    /// | 2 | coalescing | a request that shares a response needs neither its own token nor its own retries |
    /// | 3 | cache | a stored response needs no token |
    /// | 4 | idempotency | a recorded response needs no token, and one key covers all attempts |
    /// | 5 | authorization | a refresh does not count as a retry, and a token that expires during a wait is replaced |
    /// | 6 | retry | each attempt is counted, limited and rejected separately |
    /// | 7 | rate limit | each attempt counts, and waits if the limit is reached |
    /// | 8 | circuit breaker | the time that a request waits for the rate limit is not a failure of the host |
    /// | 9 | redirects, transport | ``PlatformSession`` and every `URLSession` include them |
    /// - Parameters:
    ///   - authorization: Adds credentials to requests. The default is `nil`.
    ///   - coalescing: Sends identical concurrent requests once.
    ///   - cache: Stores responses. The default is `nil`.
    ///   - idempotency: Returns the recorded response to a request with the same `Idempotency-Key`, in all processes that share
    ///     its ledger. The default is `nil`.
    ///   - retry: Retries requests after temporary failures. The default is three attempts.
    ///   - breaker: Stops requests to a host that is down.
    ///   - rateLimit: Limits the rate of requests: a ``RateLimitInterceptor`` (the default) or a
    ///     ``SharedRateLimitInterceptor``.
    ///   - session: The inner session. The default is the platform's.
    /// - Returns: The session. Create it once and reuse it, because the interceptors keep state between requests.
    public static func standard(
        authorization: AuthorizationInterceptor? = nil, coalescing: CoalescingInterceptor? = CoalescingInterceptor(),
        cache: CacheInterceptor? = nil, idempotency: IdempotencyInterceptor? = nil,
        retry: RetryInterceptor? = RetryInterceptor(),
        breaker: CircuitBreakerInterceptor? = CircuitBreakerInterceptor(),
        rateLimit: (any Interceptor)? = RateLimitInterceptor(), over session: some APISession = .platform
    ) -> StandardSession {
        let identity = authorization.map(IdentityInterceptor.init(of:)) ?? IdentityInterceptor()
        return StandardSession(
            [identity, coalescing, cache, idempotency, authorization, retry, rateLimit, breaker], over: session)
    }
}
