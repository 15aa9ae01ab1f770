import Errand

/// The CPU time of a request with a stored response, compared with a request over loopback. The response has 1 kB and is
/// not decoded.
struct CacheBenchmark {
    private static let requests = 128
    private static let rounds = 15
    /// The maximum CPU time of a hit, as a multiple of a request over loopback.
    private static let limits = ["memory": 0.35, "disk": 3.0]

    /// Loads the bytes of a response.
    private struct BytesAPI: APIHandler {
        let url: URL

        func makeRequest(from input: Void) -> URLRequest { URLRequest(url: url) }
        func parseResponse(data: Data, response: HTTPURLResponse) -> Int { data.count }
        func parseResponse(data: Data, head: ResponseHead) -> Int { data.count }
    }

    /// Gives each response a lifetime.
    private struct Lifetime: Interceptor {
        func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
            var response = try await next.send(request)
            var headers = response.head.headers
            headers["Cache-Control"] = "max-age=86400"
            response.head = ResponseHead(status: response.head.status, headers: headers, url: response.head.url)
            return response
        }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "errand-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let disk = try DiskCacheStore(folder: folder)
        try await ServerProcess.use { url in
            var table = Table("", "CPU µs", "× loopback", "requests/s")
            var worst: [String: Double] = [:]
            for lanes in [1, 8, 64] {
                let loaders = [
                    ("loopback", loader(url, nil)), ("memory", loader(url, MemoryCacheStore())),
                    ("disk", loader(url, disk)),
                ]
                let turns = Interleaving(block: .times(Self.requests), rounds: Self.rounds)
                let results = try await turns.measure(
                    loaders.map { name, loader in
                        Variant("\(name), \(lanes) in flight", inFlight: lanes) { _ in try await loader.load() }
                    })
                for (result, (name, _)) in zip(results, loaders) {
                    let ratio = result.cpuRatio(to: results[0]).median
                    worst[name] = max(worst[name] ?? 0, lanes == 1 ? ratio : 0)
                    table.add(result.name, result.cpu.median.micros, ratio.tenths, "\(Int(result.rate.median))")
                }
            }
            table.print()
            for (name, limit) in Self.limits where worst[name] ?? 0 > limit {
                throw Failure(
                    "expected at most \(limit) x the CPU time for a hit in \(name), found \(worst[name] ?? 0)")
            }
        }
    }

    private func loader(_ url: URL, _ store: (any CacheStore)?) -> APILoader<BytesAPI> {
        let session = PlatformSession.platform
        let api = BytesAPI(url: url.appending(path: "1k.json"))
        guard let store else { return APILoader(api, session: session) }
        return APILoader(
            api, session: session.intercepted(by: IdentityInterceptor(), CacheInterceptor(store), Lifetime()))
    }
}
