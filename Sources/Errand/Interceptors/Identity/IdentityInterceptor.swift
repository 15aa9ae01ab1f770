import ErrandSupport

/// Says whose credentials a call carries, outermost, for the interceptors that share answers.
///
/// ```swift
/// let session = PlatformSession.platform.intercepted(by: IdentityInterceptor("account-7"), CoalescingInterceptor())
/// ```
/// Without a name it makes one of the credentials that the request has already: the digest (SHA-256) of its secret fields
/// and query items, which can't be turned back. A call whose ``RequestOptions/identity`` are set keeps them.
public struct IdentityInterceptor: Interceptor {
    private let identify: @Sendable (APIRequest) -> Credentials.Identity?

    /// Makes the interceptor.
    /// - Parameter identity: The identity to assign to every request. If `nil` (the default), it is derived from the request's
    ///   credentials.
    public init(_ identity: Credentials.Identity? = nil) {
        identify = { _ in identity }
    }

    /// Makes an interceptor that asks for each call.
    package init(_ identify: @escaping @Sendable (APIRequest) -> Credentials.Identity?) {
        self.identify = identify
    }

    /// Sets the identity where there is none.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        guard request.options.identity == nil, let identity = identify(request) ?? request.ownIdentity else {
            return try await next.send(request)
        }
        var request = request
        request.options.identity = identity
        return try await next.send(request)
    }
}

extension APIRequest {
    /// Who the request's own credentials say is asking; nil where it has none.
    fileprivate var ownIdentity: Credentials.Identity? {
        let credentials = self.credentials
        guard !credentials.isEmpty else { return nil }
        let text = credentials.map { "\($0.name.lowercased())\u{0}\($0.value)\u{0}" }.joined()
        return Credentials.Identity(SHA256.hash(Array(text.utf8)).map { String($0, radix: 16) }.joined(separator: "."))
    }
}
