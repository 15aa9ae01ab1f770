import Errand
import ErrandSupport

/// The routes of one stub, and the name under which the platform's requests find them.
final class StubRouter: Sendable {
    /// The field that says which stub a request is for.
    static let field = RedirectInterceptor.Policy.stubHeader

    let id = UUID().uuidString.lowercased()
    let time: any TimeSource
    private let state = Locked(StubRoutes())

    private init(time: some TimeSource) {
        self.time = time
    }

    deinit { Self.living.withLock { $0[id] = nil } }

    /// A host that no other stub has; `test` never exists in the network's own names (RFC 2606, section 2).
    var host: String { "stub-\(id).test" }

    var recorded: [APIRequest] { state.withLock { $0.recorded } }
    var problems: [String] { state.withLock { $0.problems } }

    func add(_ route: StubRoutes.Route) {
        state.withLock { $0.add(route) }
    }

    /// The reply to a request, which is recorded.
    /// - Throws: What a route's handler throws; `URLError.unsupportedURL` where no route matches.
    func reply(to request: APIRequest) throws -> CannedReply {
        switch state.withLock({ $0.decide(request) }) {
        case .reply(let reply): return reply
        case .ask(let handler): return try handler(request)
        case .refuse(let sentence): throw URLError.stub(.unsupportedURL, sentence)
        }
    }
}

extension StubRouter {
    private struct Weak {
        weak var router: StubRouter?
    }

    /// The living stubs by name: the one thing that they share.
    ///
    /// The platform makes the `URLProtocol` itself and hands it a `URLRequest` and nothing else, so that a name in the
    /// request and a table of names are the only way back to the stub. It keeps none of them alive.
    private static let living = Locked<[String: Weak]>([:])

    static func make(time: some TimeSource) -> StubRouter {
        let router = StubRouter(time: time)
        living.withLock { $0[router.id] = Weak(router: router) }
        return router
    }

    /// The stub that a request is for, by its field or else by its host.
    /// - Throws: `URLError.cannotFindHost` where there is none.
    static func router(for request: URLRequest) throws -> StubRouter {
        let host = request.url?.host()?.lowercased() ?? ""
        let named = request.value(forHTTPHeaderField: field)
        guard let id = named ?? host.stubID else {
            throw URLError.stub(
                .cannotFindHost,
                "\(host) names no stub: send through an Errand session, or to the address that StubSession.url gives")
        }
        guard let router = living.withLock({ $0[id]?.router }) else {
            throw URLError.stub(.cannotFindHost, "the StubSession of this request is gone: keep it until the test ends")
        }
        return router
    }
}

extension String {
    /// The stub's name in a host; nil where this is no stub's.
    fileprivate var stubID: String? {
        hasPrefix("stub-") && hasSuffix(".test") ? String(dropFirst(5).dropLast(5)) : nil
    }
}

extension URLError {
    /// An error with a text of its own, which Errand's sessions report as ``ServiceError/Code/configuration``.
    static func stub(_ code: Code, _ text: String) -> URLError {
        URLError(
            code,
            userInfo: [
                NSLocalizedDescriptionKey: text, URLError.serviceErrorKey: ServiceError(.configuration, text),
            ])
    }
}
