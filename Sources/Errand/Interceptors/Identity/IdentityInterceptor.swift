import ErrandSupport

/// Sets the identity of each request, for the interceptors that share responses. Use it as the outermost interceptor.
///
/// ```swift
/// let session = PlatformSession.platform.intercepted(by: IdentityInterceptor("account-7"), CoalescingInterceptor())
/// ```
/// Without a given identity, it derives one from the credentials of the request: the SHA-256 digest of its secret
/// headers and query items, which cannot be reversed. A request that already has an ``RequestOptions/identity`` keeps
/// it.
public struct IdentityInterceptor: Interceptor {
    private let identify: @Sendable (APIRequest) -> Credentials.Identity?

    /// Creates the interceptor.
    /// - Parameter identity: The identity to assign to every request. If `nil` (the default), it is derived from the
    ///   request's credentials.
    public init(_ identity: Credentials.Identity? = nil) {
        identify = { _ in identity }
    }

    /// Creates an interceptor that calls a closure for each request.
    package init(_ identify: @escaping @Sendable (APIRequest) -> Credentials.Identity?) {
        self.identify = identify
    }

    /// Sends a request. Sets its identity first, unless it has one or has no credentials.
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
    /// The digest of the credentials of the request, or `nil` if it has no credentials.
    fileprivate var ownIdentity: Credentials.Identity? {
        let credentials = self.credentials
        guard !credentials.isEmpty else { return nil }
        let text = credentials.map { "\($0.name.lowercased())\u{0}\($0.value)\u{0}" }.joined()
        return .derived(SHA256.hash(Array(text.utf8)).map { String($0, radix: 16) }.joined(separator: "."))
    }
}
