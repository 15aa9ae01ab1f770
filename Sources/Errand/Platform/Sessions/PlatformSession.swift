/// The session that a loader uses when it is given none: over ``Transport/platform``, which is `CurlSession` on Linux
/// with glibc and a `URLSession` of this library's own elsewhere.
///
/// No cookies are kept and nothing is cached. Redirects are followed by the rules of ``RedirectInterceptor``, as each call's
/// ``RequestOptions/redirects`` says: interceptors around it see the last answer only. <doc:sessions-by-platform> compares them.
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
    /// `URLSession.shared`, so that `session: .shared` reads as it does elsewhere.
    public static var shared: URLSession { URLSession.shared }
}
