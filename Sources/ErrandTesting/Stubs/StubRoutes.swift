import Errand
import ErrandSupport

/// What a stub knows: its routes, what was sent, and what nobody expected. A value: it decides, and does nothing.
struct StubRoutes: Sendable {
    typealias Handler = @Sendable (APIRequest) throws -> CannedReply

    /// Where a route's replies come from.
    enum Source: Sendable {
        /// One after the other; the last one stays.
        case replies(first: CannedReply, next: [CannedReply])
        case handler(Handler)
    }

    struct Route: Sendable {
        let matcher: RequestMatcher
        let expected: ExpectedUses
        let source: Source
        var uses = 0
    }

    /// What is to be done with a request.
    enum Decision: Sendable {
        case reply(CannedReply)
        case ask(Handler)
        /// With what is wrong, on one line.
        case refuse(String)
    }

    fileprivate struct Unexpected: Sendable {
        let request: APIRequest
        /// The route that was nearest when the request came, as it was then.
        let closest: Route?
    }

    private var routes: [Route] = []
    private(set) var recorded: [APIRequest] = []
    private var unexpected: [Unexpected] = []

    mutating func add(_ route: Route) {
        routes.append(route)
    }

    /// Records a request and gives it to the first route that matches and may still be used.
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

    /// The route with the same place if there is one, and of those the one with the fewest differences.
    private func closest(to request: APIRequest) -> Route? {
        func distance(_ route: Route) -> Int {
            let place = RequestMatcher(nil, route.matcher.path, host: route.matcher.host)
            return (place.matches(request) ? 0 : 1_000) + route.matcher.mismatches(request).count
        }
        return routes.min { distance($0) < distance($1) }
    }
}

extension StubRoutes {
    /// A complaint for each request that nobody expected, then for each route that was used too seldom.
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
        guard let closest else { return "unexpected  \(request.target)\n  the stub had no route" }
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
    /// Method, path and query on one line, without secrets.
    var target: String {
        let query = url?.query(percentEncoded: true).map { "?\($0)" } ?? ""
        return "\(method.rawValue.singleLine()) \(options.redaction.text(path + query))"
    }
}
