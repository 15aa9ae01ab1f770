/// Shows a server who is asking, and reacts where it refuses that.
///
/// ```swift
/// let interceptor = AuthorizationInterceptor(OAuthAuthorizer(client, store: store), at: apiURL)
/// let session = PlatformSession.platform.intercepted(by: interceptor, RetryInterceptor())
/// ```
/// Credentials go to the origins (scheme, host, port) that the interceptor is made for, and to no other: a request elsewhere,
/// also one whose address came out of a body, passes as it is. A request that has an `Authorization` field keeps that, and
/// its refusal is its own.
///
/// After 401 the ``Authorizer`` decides; a request is sent once more at most, and only where its body can be. This is no
/// attempt of ``RetryInterceptor``, which goes further in. A server that asks for more scope (RFC 6750, section 3.1) makes the
/// call an error with ``ServiceError/Code/insufficientScope``. It sets ``RequestOptions/identity`` where nobody has.
public struct AuthorizationInterceptor: Interceptor {
    private let authorizer: any Authorizer
    private let origins: OriginSet

    /// Makes the interceptor.
    /// - Parameters:
    ///   - authorizer: Whose credentials are sent.
    ///   - address: The server that gets them; scheme, host and port count.
    ///   - more: More of them.
    public init(_ authorizer: some Authorizer, at address: URL, _ more: URL...) {
        self.init(authorizer, at: [address] + more)
    }

    /// Makes the interceptor for the server of an environment.
    /// - Parameters:
    ///   - authorizer: Whose credentials are sent.
    ///   - environment: Whose base address's scheme, host and port count.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` where that is no address.
    public init(_ authorizer: some Authorizer, at environment: some APIEnvironment) throws(ServiceError) {
        self.init(authorizer, at: [try environment.baseURL.url(for: "")])
    }

    /// Makes the interceptor.
    /// - Parameters:
    ///   - authorizer: Whose credentials are sent.
    ///   - addresses: The servers that get them; of each address scheme, host and port count. Where none of them is the
    ///     address of a server, every call is an error.
    public init(_ authorizer: some Authorizer, at addresses: [URL]) {
        self.authorizer = authorizer
        origins = OriginSet(addresses)
    }

    /// Sends a request with its credentials, once more where the authorizer says so.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/insufficientScope``, with ``ServiceError/Code/configuration`` where
    ///   the interceptor has no server, what the authorizer and the session throw, `CancellationError`.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let trail = request.options.trail
        guard !origins.isEmpty else {
            throw ServiceError(.configuration, "the credentials are for no server: none of the addresses names one")
        }
        guard origins.contains(request.url) else {
            trail?.note("no credentials: another origin", from: .authorization)
            return try await next.send(request)
        }
        guard request.value(ofField: "Authorization") == nil else {
            trail?.note("the request has an Authorization field of its own", from: .authorization)
            return try await next.send(request)
        }
        let credentials = try await authorizer.credentials(for: request)
        guard !credentials.isTaken(in: request) else {
            trail?.note("the request has credentials of its own", from: .authorization)
            return try await next.send(request)
        }
        if let note = credentials.note { trail?.note(note, from: .authorization) }
        return try await exchange(request, credentials, next)
    }
}

extension AuthorizationInterceptor {
    /// Whose credentials a request gets here; nil for one that goes elsewhere, or has its own. Where the authorizer does not
    /// say, it is a name that no other call has, so that nobody gets what another was sent.
    package func identity(for request: APIRequest) -> Credentials.Identity? {
        guard origins.contains(request.url), request.value(ofField: "Authorization") == nil
        else { return nil }
        return authorizer.identity ?? Credentials.Identity(SystemRandom().uuid())
    }
}

extension AuthorizationInterceptor {
    private enum Outcome {
        case answer(APIResponse)
        case replay(Credentials)
    }

    private func exchange(
        _ request: APIRequest, _ credentials: Credentials, _ next: any APISession
    ) async throws -> APIResponse {
        switch try await outcome(of: request, credentials, next) {
        case .answer(let response): return response
        case .replay(let fresh):
            try Task.checkCancellation()
            let note = fresh.note.map { "; \($0)" } ?? ""
            request.options.trail?.note("replayed after 401\(note)", from: .authorization)
            return try await send(try authorized(request, fresh), fresh, next)
        }
    }

    /// Sends the request once. A function of its own, so that a refused answer's body is let go, and its connection with
    /// it, before the request is sent again.
    private func outcome(
        of request: APIRequest, _ credentials: Credentials, _ next: any APISession
    ) async throws -> Outcome {
        let authorized = try authorized(request, credentials)
        let response = try await send(authorized, credentials, next)
        guard response.head.status == 401, isAboutUs(response.head, request) else { return .answer(response) }
        guard request.body.isReplayable else {
            request.options.trail?.note("401; not replayed: the body comes once", from: .authorization)
            return .answer(response)
        }
        let refusal = AuthorizationInterceptor.Refusal(response.head, of: authorized)
        switch try await authorizer.react(to: refusal, of: credentials) {
        case .replay(let fresh) where !fresh.isSame(as: credentials): return .replay(fresh)
        case .replay, .giveUp:
            request.options.trail?.note("401; there is nothing else to send", from: .authorization)
            return .answer(response)
        }
    }

    /// Whether an answer is of the server that has seen the credentials: a redirect elsewhere takes none along.
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
    /// Makes an interceptor that knows whose credentials another one, further in, will send; whose every other call is, its own
    /// credentials say.
    public init(of interceptor: AuthorizationInterceptor) {
        self.init { interceptor.identity(for: $0) }
    }
}
