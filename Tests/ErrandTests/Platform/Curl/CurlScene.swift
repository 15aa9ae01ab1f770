#if os(Linux)
    import Errand
    import ErrandLoopback
    import TestSupport

    /// A server and a session of its own, so that no test waits for another's connections.
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

        /// A request to the server; the path is taken as it is written.
        func request(
            _ path: String = "/", _ method: String = "GET", body: RequestBody = .none,
            _ configure: (inout RequestOptions) -> Void = { _ in }
        ) throws -> APIRequest {
            try CurlScene.request("\(server.url.absoluteString)\(path)", method, body: body, configure)
        }

        static func request(
            _ address: String, _ method: String = "GET", body: RequestBody = .none,
            _ configure: (inout RequestOptions) -> Void = { _ in }
        ) throws -> APIRequest {
            guard let url = URL(string: address) else { throw URLError(.badURL) }
            var head = URLRequest(url: url)
            head.httpMethod = method
            var options = RequestOptions()
            configure(&options)
            return APIRequest(head: head, body: body, options: options)
        }

        /// Waits until the server has had so many requests in all.
        func requests(_ count: Int) async {
            for await statistics in server.statisticsUpdates where statistics.requests >= count { break }
        }

        /// Whether the server comes to have so many open connections.
        func hasConnections(_ count: Int) async -> Bool {
            await Soak.eventually { server.statistics.openConnections == count }
        }
    }

    extension CurlSession.Configuration {
        /// Without what the environment says of proxies.
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

    /// Ends a task and says how long that took.
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

    /// Says when a source is gone.
    final class Guest: Sendable {
        private let gone: AsyncStream<Void>.Continuation

        init(_ gone: AsyncStream<Void>.Continuation) { self.gone = gone }

        deinit { gone.yield() }
    }
#endif
