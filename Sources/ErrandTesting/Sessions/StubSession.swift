public import Errand

/// A `URLSession` without a network. It responds to requests by routes, records them, and verifies them at the end.
///
/// ```swift
/// let stub = StubSession()
/// stub.on(.get, "/v1/photos", query: ["page": "2"], reply: .json(#"[{"id":"a"}]"#))
/// let loader = APILoader(GalleryAPI(environment: .production), session: stub.urlSession)
/// let photos = try await loader.load(GalleryQuery(page: 2))
/// #expect(photos.map(\.id) == ["a"])
/// try stub.verify()
/// ```
/// Unlike a ``ScriptedSession``, it uses the platform's complete networking stack, and works with code that requires a
/// `URLSession`. Each stub has separate routes, so that tests can run in parallel. It responds only while it is
/// retained: keep it until the end of the test, for example with a final `verify()`.
///
/// Code without Errand can send requests with ``urlSession`` or with a session of ``configuration``. Requests to
/// ``url`` get responses on all platforms. Requests to other URLs get responses only on Apple platforms. `URLSession`
/// on Linux has three limitations. It hides the body of an upload task from a `URLProtocol`, so that the recorded
/// request has no body. A 401 that asks for a password never ends in a plain session without a delegate. A download
/// task ends the process: use data tasks.
public final class StubSession: APISession {
    /// Returns the reply to a request. On Linux, it runs on the shared queue of all sessions, so it must not block.
    public typealias Handler = @Sendable (APIRequest) throws -> CannedReply

    /// The session with the responses of this stub.
    public let urlSession: URLSession
    /// A unique URL of this stub for plain `URLSession` code: `http://stub-‹unique›.test`.
    public let url: URL
    private let router: StubRouter

    /// Creates a stub without routes.
    /// - Parameter time: The clock for delays and pauses: a ``ManualClock``, or the system's clock. Timeouts and
    ///   deadlines belong to the session and use the system's clock.
    public init(time: some TimeSource = .system) {
        router = .make(time: time)
        urlSession = URLSession(configuration: Self.configuration(of: router))
        var components = URLComponents()
        components.scheme = "http"
        components.host = router.host
        url = components.url ?? URL(filePath: "/")
    }

    /// The configuration for a session with the responses of this stub. Returns a new copy each time.
    ///
    /// If you insert a protocol class before the stub's class, or remove a header, requests do not reach the stub.
    public var configuration: URLSessionConfiguration { Self.configuration(of: router) }

    /// The requests that were sent, oldest first, including those that no route matched.
    ///
    /// Streamed bodies are read up to 64 MB. A request with a longer body fails and is not recorded.
    public var recorded: [APIRequest] { router.recorded }

    /// Sends a request to the stub with its session.
    public func send(_ request: APIRequest) async throws -> APIResponse {
        var request = request
        request.head.setValue(router.id, forHTTPHeaderField: StubRouter.header)
        return try await urlSession.send(request)
    }

    /// Checks that every request matched a route, and that every route was used the expected number of times.
    /// - Throws: ``VerificationError`` with each unmatched request and its closest route, and with each route that was
    ///   not used as expected.
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
        configuration.httpAdditionalHeaders = [StubRouter.header: router.id]
        return configuration
    }

    fileprivate func add(_ matcher: RequestMatcher, _ times: ExpectedUses, _ source: StubRoutes.Source) {
        router.add(StubRoutes.Route(matcher: matcher, expected: times, source: source))
    }
}

extension StubSession {
    /// Adds a route for the requests of a matcher. The first matching route that may still be used provides the reply.
    ///
    /// Several replies are used in order. The last one is repeated.
    public func on(
        _ matcher: RequestMatcher, times: ExpectedUses = .atLeastOnce, reply: CannedReply, _ next: CannedReply...
    ) {
        add(matcher, times, .replies(first: reply, next: next))
    }

    /// Adds a route with a handler for the requests of a matcher. A request fails with the error of its handler.
    ///
    /// An error other than `URLError` keeps its type only on Linux. Apple's `URLSession` keeps its domain and code.
    public func on(
        _ matcher: RequestMatcher, times: ExpectedUses = .atLeastOnce, answering handler: @escaping Handler
    ) {
        add(matcher, times, .handler(handler))
    }

    /// Adds a route for a method and a path, with the conditions of ``RequestMatcher``.
    public func on(
        _ method: HTTPMethod, _ path: String, query: [String: String] = [:], headers: [String: String] = [:],
        body: BodyMatcher? = nil, times: ExpectedUses = .atLeastOnce, reply: CannedReply, _ next: CannedReply...
    ) {
        let matcher = RequestMatcher(method, path, query: query, headers: headers, body: body)
        add(matcher, times, .replies(first: reply, next: next))
    }

    /// Adds a route with a handler for a method and a path.
    public func on(
        _ method: HTTPMethod, _ path: String, query: [String: String] = [:], headers: [String: String] = [:],
        body: BodyMatcher? = nil, times: ExpectedUses = .atLeastOnce, answering handler: @escaping Handler
    ) {
        add(RequestMatcher(method, path, query: query, headers: headers, body: body), times, .handler(handler))
    }
}
