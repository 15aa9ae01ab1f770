/// Follows redirects according to ``RequestOptions/redirects``, so that outer interceptors see only the last response.
///
/// It is part of ``PlatformSession`` and of every `URLSession`. A custom session that returns 3xx responses, such as a
/// test double, requires it as the innermost interceptor. Any interceptor inside it sees each request of a redirect
/// chain:
/// ```swift
/// let session = double.intercepted(by: RedirectInterceptor())
/// ```
/// It has no effect around a session that follows redirects itself.
///
/// The rules are those of RFC 9110 unless another document is named:
/// - 301, 302, 303, 307 and 308 with a `Location` header are followed (section 15.4). Any other response is returned.
///   So is a response with an empty `Location`.
/// - The `Location` is resolved against the URL of the request and inherits its fragment (section 10.2.2 and RFC 3986,
///   section 5.2). It must be http or https, without user information (section 4.2.4), and at most 64 kB. Two different
///   `Location` headers are an error.
/// - After 303, the method is GET, or HEAD if it was HEAD. After 301 and 302, POST becomes GET. Otherwise method and
///   body are kept (sections 15.4.2 to 15.4.9), including those of ``HTTPMethod/query``. If the body is dropped, the
///   headers that describe it are dropped too (section 15.4, step 5).
/// - Few headers are sent to another origin (scheme, host or port): `Accept` and `Accept-*`, `Content-*`, `If-*`,
///   `Range`, `User-Agent`, `traceparent`, and those in ``RedirectInterceptor/Policy/crossOriginHeaders``. `Host` and
///   headers that ``RequestOptions/redaction`` hides, such as `Authorization` and `Cookie`, are never sent. A dropped
///   header is not sent again after a later redirect. A kept body is sent, as 307 and 308 require: use
///   ``RedirectInterceptor/Policy/manual`` for requests with a secret body.
/// - A redirect from https to http is an error. So is the 21st redirect. A redirect may lead back to the same URL, for
///   example to set a cookie or to wait. Only the limit ends such a loop.
///
/// The deadline and the body limit of an API call apply to all its requests together. The bodies of redirects are
/// dropped. ``ResponseHead/url`` of the response is the last URL.
public struct RedirectInterceptor: Interceptor {
    private let sessionHeaders: HeaderFields
    private let foldsDuplicates: Bool

    /// Creates the interceptor.
    public init() {
        self.init(sessionHeaders: [:], foldsDuplicates: false)
    }

    /// Creates the interceptor for a session that adds headers to each request, or joins duplicate headers of a
    /// response.
    package init(sessionHeaders: HeaderFields, foldsDuplicates: Bool) {
        self.sessionHeaders = sessionHeaders
        self.foldsDuplicates = foldsDuplicates
    }

    /// Sends a request, and the requests that follow its redirects.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/redirect`` if a redirect must not be followed.
    ///   `CancellationError` if the task is cancelled. The error of the session.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let response = try await next.send(request)
        // Most responses are returned here. Following a redirect costs more than all other work of a session for a
        // request.
        guard response.head.isRedirect else { return response }
        return try await follow(response, to: request, next: next)
    }

    private func follow(
        _ first: APIResponse, to request: APIRequest, next: any APISession
    ) async throws -> APIResponse {
        var machine = RedirectMachine(request, sessionHeaders: sessionHeaders, foldsDuplicates: foldsDuplicates)
        var response = first
        while let following = try machine.step(after: response.head) {
            try Task.checkCancellation()
            response = try await next.send(following)
        }
        return response
    }
}
