/// An interceptor around a session: it may change the request, the answer, answer itself, or ask again.
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
    /// Handles one request; `next` is everything further in.
    func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse
}

extension APISession {
    /// This session inside interceptors, the first one outermost.
    public func intercepted(by interceptors: any Interceptor...) -> any APISession {
        intercepted(byAll: interceptors)
    }

    /// This session inside interceptors, the first one outermost.
    public func intercepted(byAll interceptors: [any Interceptor]) -> any APISession {
        guard !interceptors.isEmpty else { return self }
        let base: any APISession = self is any NotesSecrets ? self : NotingSession(inner: self)
        return interceptors.reversed().reduce(base) { InterceptedSession(inner: $0, interceptor: $1) }
    }
}

struct InterceptedSession: NotesSecrets {
    let inner: any APISession
    let interceptor: any Interceptor

    /// Not within its witness, which would hop to the caller's executor once more: with interceptors in interceptors that counts.
    @inline(never)
    func send(_ request: APIRequest) async throws -> APIResponse {
        do {
            return try await interceptor.intercept(request, next: inner)
        } catch let error as ServiceError {
            throw error.hiding(error.response?.secrets ?? request.secrets)
        }
    }
}
