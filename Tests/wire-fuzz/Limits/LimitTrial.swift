import Errand
import ErrandLoopback
import ErrandSupport
import ErrandValkey
import Foundation

/// A process of `Tests/limits.sh`: the server, or a client that shares its limit with others.
struct LimitTrial: Sendable {
    private enum Role: Sendable {
        case server(LimitServer)
        case client(LimitClient)
    }

    private let role: Role

    /// Parses the arguments `--limit-server RATE BURST` and `--limit-client URL STORE REQUESTS RATE [MODE WORKERS]`. Returns `nil`
    /// for others.
    init?(_ arguments: [String]) {
        switch arguments.first {
        case "--limit-server" where arguments.count == 3:
            guard let rate = Double(arguments[1]), let burst = Double(arguments[2]) else { return nil }
            role = .server(LimitServer(rate: rate, burst: burst))
        case "--limit-client":
            guard let client = LimitClient(Array(arguments.dropFirst())) else { return nil }
            role = .client(client)
        default: return nil
        }
    }

    /// Returns the exit status: 0 if all requests were allowed, or for a client with a failure mode if each was allowed or
    /// refused.
    func run() async -> Int32 {
        do {
            switch role {
            case .server(let server):
                try await LoopbackServer.withServer({ server.reply(to: $0) }) { running in
                    FileHandle.standardOutput.write(Data("\(running.url)\n".utf8))
                    try await SystemTime.system.sleep(until: .seconds(1_000_000_000))
                }
            case .client(let client): try await client.run()
            }
            return 0
        } catch {
            print(error)
            return 1
        }
    }
}
