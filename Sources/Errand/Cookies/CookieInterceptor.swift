/// An interceptor that sends the cookies of a store with each request, and stores the cookies of each response (RFC
/// 6265, sections 5.2 to 5.4).
///
/// The library stores cookies only with this interceptor. The configuration of a `CurlSession` accepts a store and
/// adds the interceptor inside redirect handling, so that each URL receives its own cookies and a redirect can set
/// cookies. For a custom session that returns every redirect, add it after ``RedirectInterceptor``:
/// ```swift
/// let session = double.intercepted(by: RedirectInterceptor(), CookieInterceptor(CookieJar()))
/// ```
/// A request that already has a `Cookie` header is sent unchanged. Only inner interceptors see the header that this
/// interceptor adds, so a redirect does not forward it.
///
/// Do not use it with a `URLSession`, which follows redirects itself and joins several `Set-Cookie` headers into one
/// that cannot be split. On Apple platforms, use a `URLSession` with a separate cookie storage.
public struct CookieInterceptor: Interceptor {
    private let store: any CookieInterceptor.Store

    /// Creates an interceptor for a store.
    public init(_ store: any CookieInterceptor.Store) {
        self.store = store
    }

    /// Sends a request with its cookies.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the store returns a line break or NUL, or the
    ///   error of the session.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let response = try await next.send(try withCookies(request))
        let lines = response.head.headers.all("Set-Cookie")
        if !lines.isEmpty { store.save(lines, from: response.head.url, at: request.options.time.date) }
        return response
    }

    private func withCookies(_ request: APIRequest) throws(ServiceError) -> APIRequest {
        guard request.value(ofField: "Cookie") == nil, let url = request.url,
            let cookies = store.cookies(for: url, at: request.options.time.date)
        else { return request }
        var request = request
        try request.head.addMissing(["Cookie": cookies])
        return request
    }
}
