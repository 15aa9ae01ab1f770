import Errand
import ErrandSupport
import ErrandValkey
import Foundation

/// Sends requests under a limit that several processes share.
struct LimitClient: Sendable {
    /// The results of the requests.
    private struct Counts: Sendable {
        var sent = 0
        /// The requests that the server refused.
        var refused = 0
        /// The requests that were not sent, because the store failed.
        var held = 0
    }

    private static let tasks = 16
    private static let modes: [String: SharedRateLimitInterceptor.Policy.FailureMode] = [
        "local": .local, "open": .open, "closed": .closed,
    ]

    private let url: URL
    private let requests: Int
    private let session: any APISession
    /// Whether refused requests and failures of the store are expected.
    private let isLenient: Bool
    private let counts = Counter()

    /// Parses the arguments `URL STORE REQUESTS RATE [MODE WORKERS]`. The store is a folder or the URL of a Valkey server. Without
    /// a failure mode, a failure of the store ends the client.
    init?(_ arguments: [String]) {
        guard [4, 6].contains(arguments.count), let url = URL(string: arguments[0]), let requests = Int(arguments[2]),
            let rate = Int(arguments[3])
        else { return nil }
        (self.url, self.requests, isLenient) = (url, requests, arguments.count == 6)
        var policy = SharedRateLimitInterceptor.Policy(rate: .init(rate, burst: 1))
        if isLenient {
            guard let mode = Self.modes[arguments[4]], let workers = Int(arguments[5]) else { return nil }
            (policy.failureMode, policy.workers, policy.obeysServer) = (mode, workers, false)
            // A refused connection fails immediately. The delays of a busy machine are shorter than this.
            policy.storeTimeout = .milliseconds(500)
        } else {
            policy.failureMode = .closed
            // A delay of a busy machine must not look like a failure.
            policy.storeTimeout = .seconds(10)
        }
        guard let store = Self.store(arguments[1]) else { return nil }
        session = PlatformSession.platform.intercepted(by: SharedRateLimitInterceptor(policy, in: store))
    }

    private static func store(_ text: String) -> (any LimitStore)? {
        guard text.contains("://") else { return FolderLimitStore(URL(filePath: text)) }
        guard let url = URL(string: text), let configuration = try? ValkeyClient.Configuration(url) else { return nil }
        return ValkeyLimitStore(ValkeyClient(configuration))
    }

    /// Sends the requests. Without a failure mode, throws an error unless all were allowed.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<Self.tasks {
                group.addTask { for _ in stride(from: task, to: requests, by: Self.tasks) { try await send() } }
            }
            try await group.waitForAll()
        }
        print(counts)
    }

    private func send() async throws {
        do {
            let status = try await session.send(APIRequest(head: URLRequest(url: url), body: .none)).head.status
            if status == 200 { return counts.add(\.sent) }
            guard isLenient, status == 429 else { throw ServiceError(.badResponse, "status \(status)") }
            counts.add(\.refused)
        } catch let error as ServiceError where isLenient && error.code == .rateLimited {
            counts.add(\.held)
            // The store is called again after a second. Without a pause, all requests would be over by then.
            try await SystemTime.system.sleep(until: SystemTime.system.now + .milliseconds(500))
        }
    }

    private final class Counter: Sendable, CustomStringConvertible {
        private let state = Locked(Counts())

        func add(_ path: any WritableKeyPath<Counts, Int> & Sendable) {
            state.withLock { $0[keyPath: path] += 1 }
        }

        var description: String { state.withLock { "\($0.sent) \($0.refused) \($0.held)" } }
    }
}
