/// Follows redirects as a call's ``RequestOptions/redirects`` says, so that interceptors further out see the last
/// response only.
///
/// It is part of ``PlatformSession`` and of every `URLSession`. A session of your own that returns a 3xx, such as a test
/// double, needs it innermost, so that the interceptors inside see each request:
/// ```swift
/// let session = double.intercepted(by: RedirectInterceptor())
/// ```
/// Around a session that follows redirects by itself it does nothing.
///
/// The rules, from RFC 9110 unless another is named:
/// - 301, 302, 303, 307 and 308 with a `Location` are followed (section 15.4). Any other response is the call's. So is one
///   whose `Location` is empty.
/// - The `Location` is resolved against the URL of the request, whose fragment is inherited (section 10.2.2; RFC 3986,
///   section 5.2). It is http or https, has no user information (section 4.2.4) and at most 64 kB. Two different
///   `Location` headers are an error.
/// - After 303 the method is GET, or HEAD if it was HEAD. After 301 and 302 POST becomes GET. Otherwise method and body
///   stay (sections 15.4.2 to 15.4.9), those of ``HTTPMethod/query`` too. With the body go the headers that describe it
///   (section 15.4, step 5).
/// - Few headers are sent to another origin (scheme, host or port): `Accept` and `Accept-*`, `Content-*`, `If-*`, `Range`,
///   `User-Agent`, `traceparent`, and those that ``RedirectInterceptor/Policy/crossOriginHeaders`` names. `Host` and headers that ``RequestOptions/redaction`` hides, such as
///   `Authorization` and `Cookie`, never are. Headers that were dropped do not come back in the same call. A body that stays
///   is sent, as 307 and 308 ask: use ``RedirectInterceptor/Policy/manual`` for calls whose body is a secret.
/// - A redirect from https to http is an error. So is the 21st redirect. A redirect may lead back to the same URL, for
///   example to set a cookie or to wait: the limit is the only bound.
///
/// Deadline and cap of the call hold for all requests together. The redirects' own bodies are dropped. The response's
/// ``ResponseHead/url`` is the last URL.
public struct RedirectInterceptor: Interceptor {
    private let sessionFields: HeaderFields
    private let foldsDuplicates: Bool

    /// Makes the interceptor.
    public init() {
        self.init(sessionFields: [:], foldsDuplicates: false)
    }

    /// Makes the interceptor for a session that adds headers to each request, or folds duplicate headers of a response.
    package init(sessionFields: HeaderFields, foldsDuplicates: Bool) {
        self.sessionFields = sessionFields
        self.foldsDuplicates = foldsDuplicates
    }

    /// Sends a request, and the requests that follow redirects.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/redirect`` if a redirect must not be followed,
    ///   `CancellationError`, and what the session throws.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let response = try await next.send(request)
        // Most calls end here: what follows costs more than all else that a session does for a request.
        guard response.head.isRedirect else { return response }
        return try await follow(response, to: request, next: next)
    }

    private func follow(
        _ first: APIResponse, to request: APIRequest, next: any APISession
    ) async throws -> APIResponse {
        var machine = RedirectMachine(request, sessionFields: sessionFields, foldsDuplicates: foldsDuplicates)
        var response = first
        while let following = try machine.step(after: response.head) {
            try Task.checkCancellation()
            response = try await next.send(following)
        }
        return response
    }
}
