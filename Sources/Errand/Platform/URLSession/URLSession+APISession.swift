/// Any `URLSession` is an ``APISession``, even with a `URLProtocol` mock in its configuration.
///
/// Redirects follow the rules of ``RedirectInterceptor``, not those of the session or its delegate.
///
/// On Apple platforms, requests run on the session itself. Only the delegate of each task belongs to this library. The
/// system adds `httpAdditionalHeaders` to each request. If one of them must not be sent to another origin
/// (``RedirectInterceptor``), a redirect to another origin is an error with ``ServiceError/Code/redirect``.
///
/// On Linux, the asynchronous methods of the session can hang or end the process when tasks are cancelled. Requests
/// therefore run on another session, which is created once from the configuration of the injected one. It keeps
/// `protocolClasses`, `httpAdditionalHeaders`, `timeoutIntervalForRequest` and `httpMaximumConnectionsPerHost`. It
/// ignores the delegate and its queue, the cache, the cookie and credential storage, and the resource timeout (use
/// ``RequestOptions/totalTimeout``).
extension URLSession: APISession, NotesSecrets {
    /// Sends a request over this session or, on Linux, over the session that replaces it.
    public func send(_ request: APIRequest) async throws -> APIResponse {
        try await URLSessionAdapter.adapter(for: self).send(request, on: self)
    }
}
