/// The default session of a loader. It uses ``Transport/platform``: `CurlSession` on Linux with glibc, and a
/// `URLSession` of this library on other platforms.
///
/// It keeps no cookies and has no cache. Redirects follow the rules of ``RedirectInterceptor`` and the
/// ``RequestOptions/redirects`` of each call, so interceptors around the session see only the last response.
/// <doc:sessions-by-platform> compares the sessions.
public struct PlatformSession: APISession, NotesSecrets {
    private static let shared = Platform.makeSession(check: NetworkPolicy.check)

    init() {}

    /// Sends a request over the shared session.
    public func send(_ request: APIRequest) async throws -> APIResponse {
        try await Self.shared.send(request)
    }
}

extension APISession where Self == PlatformSession {
    /// The platform's session, shared by all loaders.
    public static var platform: PlatformSession { PlatformSession() }
}

extension APISession where Self == URLSession {
    /// The shared `URLSession`, for use as `session: .shared`.
    public static var shared: URLSession { URLSession.shared }
}
