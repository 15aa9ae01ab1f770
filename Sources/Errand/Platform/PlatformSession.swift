/// The session that a loader uses when it is given none: a `URLSession` of this library's own, made for API calls.
///
/// No cookies are kept, nothing is cached, at most six connections a host. Redirects are followed by the rules of
/// ``RedirectLayer``, as each call's ``RequestOptions/redirects`` says: layers around it see the last answer only.
public struct PlatformSession: APISession {
    private static let shared = URLSessionAdapter(configuration: .ephemeral, check: NetworkPolicy.check)

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
