public import Errand

/// A `URLSession` without a network: its requests are answered by routes, recorded, and checked at the end.
///
/// ```swift
/// let stub = StubSession()
/// stub.on(.get, "/v1/photos", query: ["page": "2"], reply: .json(#"[{"id":"a"}]"#))
/// let loader = APILoader(GalleryAPI(environment: .production), session: stub.urlSession)
/// let photos = try await loader.load(GalleryQuery(page: 2))
/// #expect(photos.map(\.id) == ["a"])
/// try stub.verify()
/// ```
/// Against a ``ScriptedSession`` it has the platform's whole stack above it, and takes code that insists on a
/// `URLSession`. Routes belong to their stub, so tests may run in parallel. It answers as long as it lives: keep it until
/// the test's end, as `verify()` there does.
///
/// Code without Errand, that sends over ``urlSession`` or a session of ``configuration`` itself, gets its answers
/// everywhere if it sends to ``url``, and on Apple platforms at any address. On Linux `URLSession` hides the body of an
/// upload task from a `URLProtocol`, so it is recorded as none; a 401 that asks for a password never ends for
/// a plain session without a delegate; a download task ends the process: use data tasks.
public final class StubSession: APISession {
    /// Decides the reply to one request. On Linux it runs on the queue of all sessions, so it must not wait.
    public typealias Handler = @Sendable (APIRequest) throws -> CannedReply

    /// The session whose requests this stub answers.
    public let urlSession: URLSession
    /// An address that is this stub's alone, for plain `URLSession` code: `http://stub-‹unique›.test`.
    public let url: URL
    private let router: StubRouter

    /// Makes a stub without routes.
    /// - Parameter time: What delays and pauses are measured on: a ``ManualClock``, or the system's clock. Time-outs and
    ///   deadlines are the session's own, on the system's.
    public init(time: some TimeSource = .system) {
        router = .make(time: time)
        urlSession = URLSession(configuration: Self.configuration(of: router))
        var address = URLComponents()
        address.scheme = "http"
        address.host = router.host
        url = address.url ?? URL(filePath: "/")
    }

    /// What a session needs whose requests this stub is to answer: a copy of your own each time.
    ///
    /// A `protocolClasses` entry put before the stub's, or a removed header field, takes requests away from it.
    public var configuration: URLSessionConfiguration { Self.configuration(of: router) }

    /// What was sent, oldest first, requests that no route matched included.
    ///
    /// Bodies that come as streams are read up to 64 MB; the request of a longer one fails, and is not recorded.
    public var recorded: [APIRequest] { router.recorded }

    /// Sends a request to the stub, over its session.
    public func send(_ request: APIRequest) async throws -> APIResponse {
        var request = request
        request.head.setValue(router.id, forHTTPHeaderField: StubRouter.field)
        return try await urlSession.send(request)
    }

    /// Checks that no request came without a route, and that each route was used as often as expected.
    /// - Throws: ``VerificationError`` with each such request beside the closest route, and each such route.
    public func verify() throws(VerificationError) {
        let problems = router.problems
        guard problems.isEmpty else { throw VerificationError(problems) }
    }

    private static func configuration(of router: StubRouter) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StubProtocol.self]
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.httpAdditionalHeaders = [StubRouter.field: router.id]
        return configuration
    }

    fileprivate func add(_ matcher: RequestMatcher, _ times: ExpectedUses, _ source: StubRoutes.Source) {
        router.add(StubRoutes.Route(matcher: matcher, expected: times, source: source))
    }
}

extension StubSession {
    /// Answers the requests of a matcher; of several routes the first one that matches and may still be used answers.
    ///
    /// Several replies are given one after the other; the last one stays.
    public func on(
        _ matcher: RequestMatcher, times: ExpectedUses = .atLeastOnce, reply: CannedReply, _ next: CannedReply...
    ) {
        add(matcher, times, .replies(first: reply, next: next))
    }

    /// Answers the requests of a matcher with what a handler decides; the request fails with what it throws.
    ///
    /// An error other than `URLError` keeps its type on Linux only; Apple's `URLSession` keeps domain and code.
    public func on(
        _ matcher: RequestMatcher, times: ExpectedUses = .atLeastOnce, answering handler: @escaping Handler
    ) {
        add(matcher, times, .handler(handler))
    }

    /// Answers requests of a method and a path, in the words of ``RequestMatcher``.
    public func on(
        _ method: HTTPMethod, _ path: String, query: [String: String] = [:], fields: [String: String] = [:],
        body: BodyMatcher? = nil, times: ExpectedUses = .atLeastOnce, reply: CannedReply, _ next: CannedReply...
    ) {
        let matcher = RequestMatcher(method, path, query: query, fields: fields, body: body)
        add(matcher, times, .replies(first: reply, next: next))
    }

    /// Answers requests of a method and a path with what a handler decides.
    public func on(
        _ method: HTTPMethod, _ path: String, query: [String: String] = [:], fields: [String: String] = [:],
        body: BodyMatcher? = nil, times: ExpectedUses = .atLeastOnce, answering handler: @escaping Handler
    ) {
        add(RequestMatcher(method, path, query: query, fields: fields, body: body), times, .handler(handler))
    }
}
