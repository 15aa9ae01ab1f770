/// Adds credentials to requests, and handles responses with status 401.
///
/// ```swift
/// let interceptor = AuthorizationInterceptor(OAuthAuthorizer(client, store: store), at: apiURL)
/// let session = PlatformSession.platform.intercepted(by: interceptor, RetryInterceptor())
/// ```
/// Credentials are sent only to the given origins (scheme, host and port). A request to any other origin is passed on
/// unchanged, even if its URL was received in a response body. A request that already has an `Authorization` header
/// keeps it, and its 401 response is not handled.
///
/// After a 401 response, the ``Authorizer`` decides. Each request is sent at most twice, and the second time only if
/// its body can be sent again. For the second request, the handler makes its URL and headers again, so that a signature
/// or a timestamp is new. The second request does not count as an attempt of an inner ``RetryInterceptor``. If a server
/// requires more scope (RFC 6750, section 3.1), the request fails with ``ServiceError/Code/insufficientScope``. The
/// interceptor sets ``RequestOptions/identity`` if it is `nil`.
public struct AuthorizationInterceptor: Interceptor {
    private let authorizer: any Authorizer
    private let origins: OriginSet

    /// Creates the interceptor.
    /// - Parameters:
    ///   - authorizer: The source of the credentials.
    ///   - address: The URL of the server that receives them. Only its scheme, host and port are used.
    ///   - more: The URLs of further servers.
    public init(_ authorizer: some Authorizer, at address: URL, _ more: URL...) {
        self.init(authorizer, at: [address] + more)
    }

    /// Creates the interceptor for the server of an environment.
    /// - Parameters:
    ///   - authorizer: The source of the credentials.
    ///   - environment: The environment of the server. Only the scheme, host and port of its base URL are used.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` if the base URL is invalid.
    public init(_ authorizer: some Authorizer, at environment: some APIEnvironment) throws(ServiceError) {
        self.init(authorizer, at: [try environment.baseURL.url(for: "")])
    }

    /// Creates the interceptor.
    /// - Parameters:
    ///   - authorizer: The source of the credentials.
    ///   - addresses: The URLs of the servers that receive them. Only the scheme, host and port of each URL are used.
    ///     Unless a URL has a host, every request fails.
    public init(_ authorizer: some Authorizer, at addresses: [URL]) {
        self.authorizer = authorizer
        origins = OriginSet(addresses)
    }

    /// Sends a request with its credentials, and sends it again if the authorizer decides so.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/insufficientScope``, or with
    ///   ``ServiceError/Code/configuration`` if the interceptor has no origin. The errors of the authorizer and the
    ///   session. `CancellationError`.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let trail = request.options.trail
        guard !origins.isEmpty else {
            throw ServiceError(
                .configuration, "expected at least one URL with a host in AuthorizationInterceptor(_:at:)")
        }
        guard origins.contains(request.url) else {
            trail?.note("no credentials: another origin", from: .authorization)
            return try await next.send(request)
        }
        guard request.value(ofField: "Authorization") == nil else {
            trail?.note("the request already has an Authorization header", from: .authorization)
            return try await next.send(request)
        }
        let credentials = try await authorizer.credentials(for: request)
        guard !credentials.isTaken(in: request) else {
            trail?.note("the request already has credentials", from: .authorization)
            return try await next.send(request)
        }
        if let note = credentials.note { trail?.note(note, from: .authorization) }
        return try await exchange(request, credentials, next)
    }
}

extension AuthorizationInterceptor {
    /// The identity of the credentials that a request will have, or `nil` if it is sent to another origin or has an
    /// `Authorization` header. If the authorizer has no identity, a unique one is returned, so that responses are
    /// never shared between identities.
    package func identity(for request: APIRequest) -> Credentials.Identity? {
        guard origins.contains(request.url), request.value(ofField: "Authorization") == nil
        else { return nil }
        return authorizer.identity ?? .ofOneRequest()
    }
}

extension AuthorizationInterceptor {
    private enum Outcome {
        case response(APIResponse)
        case replay(Credentials)
    }

    private func exchange(
        _ request: APIRequest, _ credentials: Credentials, _ next: any APISession
    ) async throws -> APIResponse {
        switch try await outcome(of: request, credentials, next) {
        case .response(let response): return response
        case .replay(let fresh):
            try Task.checkCancellation()
            let note = fresh.note.map { "; \($0)" } ?? ""
            request.options.trail?.note("replayed after 401\(note)", from: .authorization)
            return try await send(try authorized(request.remade(), fresh), fresh, next)
        }
    }

    /// Sends the request once. This is a separate function, so that the body of a 401 response and its connection are
    /// released before the request is sent again.
    private func outcome(
        of request: APIRequest, _ credentials: Credentials, _ next: any APISession
    ) async throws -> Outcome {
        let authorized = try authorized(request, credentials)
        let response = try await send(authorized, credentials, next)
        guard response.head.status == 401, isAboutUs(response.head, request) else { return .response(response) }
        guard request.body.isReplayable else {
            request.options.trail?.note("401; not replayed: the body can be sent only once", from: .authorization)
            return .response(response)
        }
        let refusal = AuthorizationInterceptor.Refusal(response.head, of: authorized)
        switch try await authorizer.react(to: refusal, of: credentials) {
        case .replay(let fresh) where !fresh.isSame(as: credentials): return .replay(fresh)
        case .replay, .giveUp:
            request.options.trail?.note("401; not replayed: no other credentials", from: .authorization)
            return .response(response)
        }
    }

    /// Whether a response is from the origin that received the credentials. A redirect to another origin does not
    /// include them.
    private func isAboutUs(_ head: ResponseHead, _ request: APIRequest) -> Bool {
        Origin(head.url) == Origin(request.url)
    }

    private func authorized(_ request: APIRequest, _ credentials: Credentials) throws(ServiceError) -> APIRequest {
        var request = request
        try credentials.apply(to: &request)
        if request.options.identity == nil { request.options.identity = authorizer.identity }
        return request
    }

    private func send(
        _ request: APIRequest, _ credentials: Credentials, _ next: any APISession
    ) async throws -> APIResponse {
        do {
            var response = try await next.send(request)
            response.head = credentials.removed(from: response.head)
            guard [401, 403].contains(response.head.status), isAboutUs(response.head, request) else { return response }
            if let missing = ServiceError.InsufficientScope(response.head) { throw missing.error(request, response) }
            return response
        } catch var error as ServiceError {
            error.response = error.response.map(credentials.removed)
            throw error
        }
    }
}

extension IdentityInterceptor {
    /// Creates an interceptor that sets the identity of the credentials that an inner authorization interceptor will
    /// add. Other requests get an identity that is derived from their own credentials.
    public init(of interceptor: AuthorizationInterceptor) {
        self.init { interceptor.identity(for: $0) }
    }
}
