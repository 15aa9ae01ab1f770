extension APISession {
    /// Returns a session that stores responses and uses them for later requests (RFC 9111).
    ///
    /// ```swift
    /// let session = PlatformSession.platform.cached(in: MemoryCacheStore())
    /// ```
    /// The stored responses of each account are separate. The account is the ``RequestOptions/identity`` of a request,
    /// or is derived from its credentials. For a session with more interceptors, pass a ``CacheInterceptor`` to
    /// ``APISession/standard(authorization:coalescing:cache:idempotency:retry:breaker:rateLimit:over:)``.
    ///
    /// - Parameter store: The store. Several sessions can share it. If one session sends a write, another session can
    ///   still store an older response that it is receiving, so use one session for the whole program.
    /// - Returns: The session.
    public func cached(in store: some CacheStore) -> any APISession {
        intercepted(by: IdentityInterceptor(), CacheInterceptor(store))
    }
}
