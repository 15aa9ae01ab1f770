/// A type that sends requests and returns their responses. It is the central protocol of the library.
///
/// `URLSession` conforms to it, so any `URLProtocol` mock works. Test doubles conform to it, and so do sessions with
/// interceptors.
///
/// A session returns every status as a response. It either returns redirects, which ``RedirectInterceptor`` follows, or
/// follows them itself according to the request's ``RequestOptions/redirects``. If its task is cancelled, it promptly
/// throws `CancellationError`. It obeys the request's ``RequestOptions/deadline``, ``RequestOptions/idleTimeout`` and
/// ``RequestOptions/delivery``.
public protocol APISession: Sendable {
    /// Sends a request and returns its response.
    /// - Throws: ``ServiceError``, `CancellationError`, or another error of the session, which the loader wraps.
    func send(_ request: APIRequest) async throws -> APIResponse
}
