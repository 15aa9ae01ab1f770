import Errand
import ErrandLoopback
import ErrandSupport
import ErrandValkey

/// The example `fleet`: eight processes with one account, at a server that accepts 50 requests in any second.
///
/// First each process has a separate limit of 45 requests per second. Then all processes share one such limit.
package struct Fleet: Sendable {
    private static let workers = 8
    private static let requests = 25
    /// The limit of the server in any second.
    private static let limit = 50
    /// The rate of the processes. It is a little below the limit, because requests need different times to arrive.
    private static let rate = RateLimitInterceptor.Policy.Rate(45, per: .seconds(1), burst: 1)

    /// The URL of a Valkey or Redis server, or `nil` for a folder of this machine.
    private let server: String?

    package init(server: String? = nil) {
        self.server = server
    }

    package func run(_ print: @escaping @Sendable (String) -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "errand-fleet-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        print("separate limits: \(try await send(through: "none"))")
        print("a shared limit:  \(try await send(through: server ?? folder.path(percentEncoded: false)))")
    }

    /// Starts the processes, and returns the result of the server.
    private func send(through store: String) async throws -> String {
        let counter = RequestCounter(limit: Self.limit)
        return try await LoopbackServer.withServer({ _ in counter.accepts() ? .text("ok") : .status(429) }) { running in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<Self.workers {
                    group.addTask { try await ChildProcess.run(["fleet-worker", running.url.absoluteString, store]) }
                }
                try await group.waitForAll()
            }
            return counter.summary
        }
    }

    /// Sends the requests of one process.
    package static func work(at text: String, through store: String) async throws {
        guard let url = URL(string: text) else { throw ServiceError(.configuration, "expected the URL of the server") }
        let session = PlatformSession.platform.intercepted(by: try limit(store))
        for _ in 0..<requests { _ = try await session.send(APIRequest(head: URLRequest(url: url), body: .none)) }
    }

    private static func limit(_ store: String) throws -> SharedRateLimitInterceptor {
        var policy = SharedRateLimitInterceptor.Policy(rate: rate)
        policy.workers = workers
        // The example shows the limit of the processes, not the reaction to a refusal.
        policy.obeysServer = false
        if store == "none" { return SharedRateLimitInterceptor(policy, in: MemoryLimitStore()) }
        guard store.contains("://") else {
            return SharedRateLimitInterceptor(policy, in: FolderLimitStore(URL(filePath: store)))
        }
        guard let url = URL(string: store) else { throw ServiceError(.configuration, "expected the URL of a server") }
        let password = ProcessInfo.processInfo.environment["VALKEY_PASSWORD"].map { Secret($0) }
        let client = ValkeyClient(try ValkeyClient.Configuration(url, password: password))
        return SharedRateLimitInterceptor(policy, in: ValkeyLimitStore(client))
    }
}

/// Counts requests, and refuses those above the limit of any second.
private final class RequestCounter: Sendable {
    private struct State: Sendable {
        var accepted: [ContinuousClock.Instant] = []
        var refused = 0
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) {
        self.limit = limit
    }

    func accepts() -> Bool {
        let now = ContinuousClock.now
        return state.withLock { state in
            guard state.accepted.count < limit || now - state.accepted[state.accepted.count - limit] >= .seconds(1)
            else {
                state.refused += 1
                return false
            }
            state.accepted.append(now)
            return true
        }
    }

    var summary: String { state.withLock { "\($0.accepted.count) accepted, \($0.refused) refused" } }
}
