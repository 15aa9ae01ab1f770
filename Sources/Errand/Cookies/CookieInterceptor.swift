/// Sends a store's cookies with each request, and gives the store what each answer sets (RFC 6265, sections 5.2 to
/// 5.4).
///
/// Nothing else in this library keeps cookies. A `CurlSession` gets a store by its configuration, which puts this interceptor
/// where it belongs: inside the redirects, so that each address gets its own cookies, and a redirect may set some.
/// Around a session of your own that returns every redirect it goes further in than ``RedirectInterceptor``:
/// ```swift
/// let session = double.intercepted(by: RedirectInterceptor(), CookieInterceptor(CookieJar()))
/// ```
/// A request that has a `Cookie` field already keeps that, and gets no other. What the interceptor adds is seen by the
/// interceptors further in only, and so never taken along by a redirect.
///
/// It is not for a `URLSession`, which follows redirects by itself and folds several `Set-Cookie` lines into one that
/// nobody can take apart. On Apple platforms inject one with a cookie storage of its own.
public struct CookieInterceptor: Interceptor {
    private let store: any CookieInterceptor.Store

    /// Makes an interceptor over a store.
    public init(_ store: any CookieInterceptor.Store) {
        self.store = store
    }

    /// Sends a request with its cookies.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` where the store gives a line break or NUL, and
    ///   what the session throws.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let response = try await next.send(try withCookies(request))
        let lines = response.head.fields.all("Set-Cookie")
        if !lines.isEmpty { store.take(lines, from: response.head.url, at: request.options.time.date) }
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
