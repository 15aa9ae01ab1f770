/// Any `URLSession` is an ``APISession``, one with a `URLProtocol` mock in its configuration included.
///
/// Redirects are followed by the rules of ``RedirectInterceptor``, not by those of the session or its delegate.
///
/// On Apple platforms requests run on the session itself; only the delegate of each task is this library's.
/// The system adds `httpAdditionalHeaders` to each of them. If one of them must not be sent to another origin
/// (``RedirectInterceptor``), a redirect to another origin is an error with ``ServiceError/Code/redirect``.
///
/// On Linux the session's own asynchronous methods can hang or end the process when tasks are cancelled, so requests run
/// on a session that is rebuilt, once, from the injected one's configuration. Kept: `protocolClasses`,
/// `httpAdditionalHeaders`, `timeoutIntervalForRequest`, `httpMaximumConnectionsPerHost`. Off: the session's delegate and delegate queue, its cache,
/// its cookie and credential storage, its resource time-out (``RequestOptions/totalTimeout`` is there for that).
extension URLSession: APISession, NotesSecrets {
    /// Sends a request over this session, or over its stand-in on Linux.
    public func send(_ request: APIRequest) async throws -> APIResponse {
        try await URLSessionAdapter.adapter(for: self).send(request, on: self)
    }
}
