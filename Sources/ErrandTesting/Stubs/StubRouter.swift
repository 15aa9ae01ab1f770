import Errand
import ErrandSupport

/// The routes of one stub, and the identifier by which requests are routed to it.
final class StubRouter: Sendable {
    /// The header that contains the identifier of the stub.
    static let header = RedirectInterceptor.Policy.stubHeader

    let id = UUID().uuidString.lowercased()
    let time: any TimeSource
    private let state = Locked(StubRoutes())

    private init(time: some TimeSource) {
        self.time = time
    }

    deinit { Self.living.withLock { $0[id] = nil } }

    /// The host of this stub. The top-level domain `test` never exists in public DNS (RFC 2606, section 2).
    var host: String { "stub-\(id).test" }

    var recorded: [APIRequest] { state.withLock { $0.recorded } }
    var problems: [String] { state.withLock { $0.problems } }

    func add(_ route: StubRoutes.Route) {
        state.withLock { $0.add(route) }
    }

    /// Records a request and returns its reply.
    /// - Throws: The error of a route's handler, or `URLError.unsupportedURL` if no route matches.
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

    /// The existing stubs by identifier. This is their only shared state.
    ///
    /// The platform creates the `URLProtocol` itself and passes only a `URLRequest` to it. An identifier in the
    /// request and a table of identifiers are therefore the only way to find the stub. It does not retain them.
    private static let living = Locked<[String: Weak]>([:])

    static func make(time: some TimeSource) -> StubRouter {
        let router = StubRouter(time: time)
        living.withLock { $0[router.id] = Weak(router: router) }
        return router
    }

    /// Finds the stub of a request by its header or, without the header, by its host.
    /// - Throws: `URLError.cannotFindHost` if there is no such stub.
    static func router(for request: URLRequest) throws -> StubRouter {
        let host = request.url?.host()?.lowercased() ?? ""
        let named = request.value(forHTTPHeaderField: header)
        guard let id = named ?? host.stubID else {
            throw URLError.stub(
                .cannotFindHost,
                "expected a request to a StubSession, found \(host): use an Errand session or StubSession.url")
        }
        guard let router = living.withLock({ $0[id]?.router }) else {
            throw URLError.stub(
                .cannotFindHost, "the StubSession of this request was released: keep it until the test ends")
        }
        return router
    }
}

extension String {
    /// The stub's identifier in a host name, or `nil` if this is not the host of a stub.
    fileprivate var stubID: String? {
        hasPrefix("stub-") && hasSuffix(".test") ? String(dropFirst(5).dropLast(5)) : nil
    }
}

extension URLError {
    /// Creates an error with a custom text. Errand's sessions report it as ``ServiceError/Code/configuration``.
    static func stub(_ code: Code, _ text: String) -> URLError {
        URLError(
            code,
            userInfo: [
                NSLocalizedDescriptionKey: text, URLError.serviceErrorKey: ServiceError(.configuration, text),
            ])
    }
}
