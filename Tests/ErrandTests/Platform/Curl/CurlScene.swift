#if os(Linux)
    import Errand
    import ErrandLoopback
    import TestSupport

    /// A server and a session for one test, so that tests do not share connections.
    struct CurlScene: Sendable {
        let server: LoopbackServer
        let session: CurlSession

        static func run(
            _ configuration: CurlSession.Configuration = .direct, server: LoopbackServer.Configuration = .init(),
            _ handler: @escaping LoopbackServer.Handler, _ body: (CurlScene) async throws -> Void
        ) async throws {
            try await LoopbackServer.withServer(configuration: server, handler) { server in
                try await body(CurlScene(server: server, session: CurlSession(configuration)))
            }
        }

        /// A request to the server. The path is sent unchanged.
        func request(
            _ path: String = "/", _ method: String = "GET", body: RequestBody = .none,
            _ configure: (inout RequestOptions) -> Void = { _ in }
        ) throws -> APIRequest {
            try CurlScene.request("\(server.url.absoluteString)\(path)", method, body: body, configure)
        }

        static func request(
            _ text: String, _ method: String = "GET", body: RequestBody = .none,
            _ configure: (inout RequestOptions) -> Void = { _ in }
        ) throws -> APIRequest {
            guard let url = URL(string: text) else { throw URLError(.badURL) }
            var head = URLRequest(url: url)
            head.httpMethod = method
            var options = RequestOptions()
            configure(&options)
            return APIRequest(head: head, body: body, options: options)
        }

        /// Waits until the server has received this number of requests in total.
        func requests(_ count: Int) async {
            for await statistics in server.statisticsUpdates where statistics.requests >= count { break }
        }

        /// Waits until the server has this number of open connections. Returns `false` if it does not in time.
        func hasConnections(_ count: Int) async -> Bool {
            await Soak.eventually { server.statistics.openConnections == count }
        }
    }

    extension CurlSession.Configuration {
        /// A configuration that ignores the proxies of the environment.
        static var direct: Self {
            var configuration = Self()
            configuration.proxy = .none
            return configuration
        }

        static func connections(_ count: Int, inAll: Int = 256) -> Self {
            var configuration = direct
            configuration.connectionsPerOrigin = count
            configuration.connections = inAll
            return configuration
        }
    }

    /// Cancels a task. Returns its result and the time that it took to end.
    func cancelling(_ task: Task<some Sendable, any Error>) async -> (end: Result<Void, any Error>, elapsed: Duration) {
        let start = ContinuousClock.now
        task.cancel()
        let end = await task.result.map { _ in }
        return (end, ContinuousClock.now - start)
    }

    extension Result where Failure == any Error {
        var isCancellation: Bool {
            guard case .failure(let error) = self else { return false }
            return error is CancellationError || (error as? ServiceError)?.code == .cancelled
        }
    }

    /// Reports when the source of a body is deallocated.
    final class Guest: Sendable {
        private let gone: AsyncStream<Void>.Continuation

        init(_ gone: AsyncStream<Void>.Continuation) { self.gone = gone }

        deinit { gone.yield() }
    }
#endif
