import Errand
import ErrandLoopback
import Foundation

/// A process of `Tests/limits.sh`: the server, or a client that shares its limit with others.
struct LimitTrial: Sendable {
    private enum Role: Sendable {
        case server(LimitServer)
        case client(URL, folder: URL, requests: Int, rate: Int)
    }

    private static let tasks = 16
    private let role: Role

    /// Parses the arguments `--limit-server RATE BURST` and `--limit-client URL FOLDER REQUESTS RATE`. Returns `nil` for others.
    init?(_ arguments: [String]) {
        switch arguments.first {
        case "--limit-server" where arguments.count == 3:
            guard let rate = Double(arguments[1]), let burst = Double(arguments[2]) else { return nil }
            role = .server(LimitServer(rate: rate, burst: burst))
        case "--limit-client" where arguments.count == 5:
            guard let url = URL(string: arguments[1]), let requests = Int(arguments[3]), let rate = Int(arguments[4])
            else {
                return nil
            }
            role = .client(url, folder: URL(filePath: arguments[2]), requests: requests, rate: rate)
        default: return nil
        }
    }

    /// Returns the exit status: 0 if all requests were allowed.
    func run() async -> Int32 {
        do {
            switch role {
            case .server(let server):
                try await LoopbackServer.withServer({ server.reply(to: $0) }) { running in
                    FileHandle.standardOutput.write(Data("\(running.url)\n".utf8))
                    try await SystemTime.system.sleep(until: .seconds(1_000_000_000))
                }
            case .client(let url, let folder, let requests, let rate):
                try await send(requests, to: url, session(folder, rate))
            }
            return 0
        } catch {
            print(error)
            return 1
        }
    }

    private func session(_ folder: URL, _ rate: Int) -> any APISession {
        var policy = SharedRateLimitInterceptor.Policy(rate: .init(rate, burst: 1))
        // A failure of the store must not be hidden.
        policy.failureMode = .closed
        // A delay of a busy machine must not look like one.
        policy.storeTimeout = .seconds(10)
        return PlatformSession.platform.intercepted(
            by: SharedRateLimitInterceptor(policy, in: FolderLimitStore(folder)))
    }

    private func send(_ count: Int, to url: URL, _ session: any APISession) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<Self.tasks {
                group.addTask {
                    for _ in stride(from: task, to: count, by: Self.tasks) {
                        let status = try await session.send(APIRequest(head: URLRequest(url: url), body: .none)).head
                            .status
                        guard status == 200 else { throw ServiceError(.badResponse, "status \(status)") }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
