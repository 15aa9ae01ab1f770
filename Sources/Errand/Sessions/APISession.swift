/// The one seam of the library: whatever can answer a request.
///
/// `URLSession` is one (so that any `URLProtocol` mock works), every test double is one, and a session with interceptors
/// around it is one.
///
/// A session returns every status as a response. One that returns a redirect leaves it to ``RedirectInterceptor``; one that
/// follows keeps to the request's ``RequestOptions/redirects``. It ends promptly when its task is cancelled, by throwing
/// `CancellationError`, and keeps to the request's ``RequestOptions/deadline``, ``RequestOptions/idleTimeout`` and
/// ``RequestOptions/delivery``.
public protocol APISession: Sendable {
    /// Sends a request and returns its answer.
    /// - Throws: ``ServiceError``, `CancellationError`, or an error of the session's own, which the loader wraps.
    func send(_ request: APIRequest) async throws -> APIResponse
}
