import Errand

extension LayersBenchmark {
    /// The loader over a session that responds immediately: without interceptors, with each one, and with all of them.
    func subjects() throws -> [Subject] {
        guard let url = URL(string: Self.urlText) else { throw Failure("expected a URL, found \(Self.urlText)") }
        let head = ResponseHead(status: 200, headers: ["Content-Type": "application/json"], url: url)
        let canned = Canned(response: APIResponse(head: head, body: ResponseBody(Data("[]".utf8))))
        let authorization = AuthorizationInterceptor(.bearer(Secret("a token of a usual length, or so")), at: url)
        let interceptors: [(String, any Interceptor)] = [
            ("identity", IdentityInterceptor()), ("coalescing", CoalescingInterceptor()),
            ("authorization", authorization),
            ("retry", RetryInterceptor()), ("circuit breaker", CircuitBreakerInterceptor()),
            ("rate limit", RateLimitInterceptor()),
            ("redirects", RedirectInterceptor()),
        ]
        let sessions: [(String, any APISession)] =
            [("none", canned)] + interceptors.map { ($0.0, canned.intercepted(by: $0.1)) }
            + [("the whole stack", StandardSession.standard(authorization: authorization, over: canned))]
        return sessions.map { name, session in
            let loader = APILoader(Ping(url: url), session: session)
            return Subject(name: name) { try await loader.load() }
        }
    }
}
