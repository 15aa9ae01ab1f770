/// A type that handles the requests of a session. It can change the request or the response, return its own response,
/// or send the request again.
///
/// ```swift
/// struct Stamp: Interceptor {
///     func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
///         var request = request
///         request.head.setValue("7", forHTTPHeaderField: "X-Build")
///         return try await next.send(request)
///     }
/// }
/// let session = URLSession.shared.intercepted(by: Stamp())
/// ```
public protocol Interceptor: Sendable {
    /// Handles a request. `next` is the session with all inner interceptors.
    func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse
}

extension APISession {
    /// Returns a session that sends each request through interceptors to this one. The first interceptor is the
    /// outermost.
    public func intercepted(by interceptors: any Interceptor...) -> any APISession {
        intercepted(byAll: interceptors)
    }

    /// Returns a session that sends each request through interceptors to this one. The first interceptor is the
    /// outermost.
    public func intercepted(byAll interceptors: [any Interceptor]) -> any APISession {
        guard !interceptors.isEmpty else { return self }
        let base: any APISession = self is any NotesSecrets ? self : NotingSession(inner: self)
        return interceptors.reversed().reduce(base) { InterceptedSession(inner: $0, interceptor: $1) }
    }
}

struct InterceptedSession: NotesSecrets {
    let inner: any APISession
    let interceptor: any Interceptor

    /// Not inlined into the protocol witness, which would then hop to the caller's executor once more. With nested
    /// interceptors, this cost adds up.
    @inline(never)
    func send(_ request: APIRequest) async throws -> APIResponse {
        do {
            return try await interceptor.intercept(request, next: inner)
        } catch let error as ServiceError {
            throw error.hiding(error.response?.secrets ?? request.secrets)
        }
    }
}
