import Errand

extension LayersBenchmark {
    /// The loader over a session that answers at once: bare, within each layer, and within all of them.
    func subjects() throws -> [Subject] {
        guard let url = URL(string: Self.address) else { throw Failure("there is no address") }
        let head = ResponseHead(status: 200, fields: ["Content-Type": "application/json"], url: url)
        let canned = Canned(response: APIResponse(head: head, body: ResponseBody(Data("[]".utf8))))
        let authorization = AuthorizationLayer(.bearer(Secret("a token of a usual length, or so")), at: url)
        let layers: [(String, any Interceptor)] = [
            ("identity", IdentityLayer()), ("coalescing", CoalescingLayer()), ("authorization", authorization),
            ("retry", RetryLayer()), ("circuit breaker", CircuitBreakerLayer()), ("rate limit", RateLimitLayer()),
            ("redirects", RedirectLayer()),
        ]
        let sessions: [(String, any APISession)] =
            [("none", canned)] + layers.map { ($0.0, canned.intercepted(by: $0.1)) }
            + [("the whole stack", StandardSession.standard(authorization: authorization, over: canned))]
        return sessions.map { name, session in
            let loader = APILoader(Ping(url: url), session: session)
            return Subject(name: name) { try await loader.load() }
        }
    }
}
