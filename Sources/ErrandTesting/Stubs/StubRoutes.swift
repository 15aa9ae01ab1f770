import Errand
import ErrandSupport

/// The state of a stub: its routes and the recorded and unexpected requests. A value type without side effects.
struct StubRoutes: Sendable {
    typealias Handler = @Sendable (APIRequest) throws -> CannedReply

    /// The source of a route's replies.
    enum Source: Sendable {
        /// A sequence of replies. The last one is repeated.
        case replies(first: CannedReply, next: [CannedReply])
        case handler(Handler)
    }

    struct Route: Sendable {
        let matcher: RequestMatcher
        let expected: ExpectedUses
        let source: Source
        var uses = 0
    }

    /// The action for a request.
    enum Decision: Sendable {
        case reply(CannedReply)
        case ask(Handler)
        /// Refuses the request, with a single-line reason.
        case refuse(String)
    }

    fileprivate struct Unexpected: Sendable {
        let request: APIRequest
        /// The closest route when the request arrived, with its state at that time.
        let closest: Route?
    }

    private var routes: [Route] = []
    private(set) var recorded: [APIRequest] = []
    private var unexpected: [Unexpected] = []

    mutating func add(_ route: Route) {
        routes.append(route)
    }

    /// Records a request and selects the first route that matches and may still be used.
    mutating func decide(_ request: APIRequest) -> Decision {
        recorded.append(request)
        let index = routes.firstIndex { $0.expected.allowsMore(than: $0.uses) && $0.matcher.matches(request) }
        guard let index else {
            let stranger = Unexpected(request: request, closest: closest(to: request))
            unexpected.append(stranger)
            return .refuse(stranger.sentence)
        }
        defer { routes[index].uses += 1 }
        switch routes[index].source {
        case .handler(let handler): return .ask(handler)
        case .replies(let first, let next):
            let turn = min(routes[index].uses, next.count)
            return .reply(turn == 0 ? first : next[turn - 1])
        }
    }

    /// The route with the fewest differences. Routes with a matching host and path are preferred.
    private func closest(to request: APIRequest) -> Route? {
        func distance(_ route: Route) -> Int {
            let target = RequestMatcher(nil, route.matcher.path, host: route.matcher.host)
            return (target.matches(request) ? 0 : 1_000) + route.matcher.mismatches(request).count
        }
        return routes.min { distance($0) < distance($1) }
    }
}

extension StubRoutes {
    /// A problem for each unexpected request, then for each route with too few uses.
    var problems: [String] {
        unexpected.map(\.problem) + routes.compactMap(\.problem)
    }
}

extension StubRoutes.Unexpected {
    fileprivate var sentence: String {
        let details = closest.map { closest in
            "; closest: \(([closest.matcher.description] + closest.matcher.mismatches(request)).joined(separator: "; "))"
        }
        return "no route of the stub matches \(request.target)\(details ?? "")"
    }

    fileprivate var problem: String {
        guard let closest else { return "unexpected  \(request.target)\n  the stub has no routes" }
        var lines = ["unexpected  \(request.target)", "  closest route  \(closest.matcher)"]
        lines += closest.matcher.mismatches(request).map { "  \($0)" }
        if lines.count == 2 { lines.append("  used \(closest.uses.asOften) before (expected \(closest.expected))") }
        return lines.joined(separator: "\n")
    }
}

extension StubRoutes.Route {
    fileprivate var problem: String? {
        guard uses < expected.minimum else { return nil }
        return "\(uses == 0 ? "never used" : "used \(uses.asOften)")  \(matcher) (expected \(expected))"
    }
}

extension APIRequest {
    /// The method, path and query on one line, without secrets.
    var target: String {
        let query = url?.query(percentEncoded: true).map { "?\($0)" } ?? ""
        return "\(method.rawValue.singleLine()) \(options.redaction.text(path + query))"
    }
}
