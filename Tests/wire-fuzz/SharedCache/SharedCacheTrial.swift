import Errand
import ErrandLoopback
import ErrandSupport
import ErrandValkey
import Foundation
import TestSupport

/// A process of `Tests/shared-cache.sh`: the server, or a client that shares its cache with others.
struct SharedCacheTrial: Sendable {
    private enum Role: Sendable {
        case origin
        case client(Client)
    }

    private let role: Role

    /// Parses the arguments `--cache-origin` and `--cache-client URL STORE RESOURCES READS CAPACITY SEED`. Returns `nil` for
    /// others.
    init?(_ arguments: [String]) {
        switch arguments.first {
        case "--cache-origin" where arguments.count == 1: role = .origin
        case "--cache-client" where arguments.count == 7:
            guard let client = Client(Array(arguments.dropFirst())) else { return nil }
            role = .client(client)
        default: return nil
        }
    }

    /// Returns the exit status.
    func run() async -> Int32 {
        do {
            switch role {
            case .origin:
                let origin = CacheOrigin()
                try await LoopbackServer.withServer({ origin.reply(to: $0) }) { running in
                    FileHandle.standardOutput.write(Data("\(running.url)\n".utf8))
                    try await SystemTime.system.sleep(until: .seconds(1_000_000_000))
                }
                return 0
            case .client(let client): return try await client.run()
            }
        } catch {
            print(error)
            return 1
        }
    }
}

extension SharedCacheTrial {
    /// Reads all resources in a random order, then random ones.
    struct Client: Sendable {
        private static let tasks = 8
        private static let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

        private let url: URL
        private let store: URL
        private let resources: Int
        private let reads: Int
        private let capacity: Int64
        private let seed: UInt64

        init?(_ arguments: [String]) {
            guard let url = URL(string: arguments[0]), let store = URL(string: arguments[1]),
                let resources = Int(arguments[2]), resources > 0, let reads = Int(arguments[3]),
                let capacity = Int64(arguments[4]), let seed = UInt64(arguments[5])
            else { return nil }
            (self.url, self.store, self.resources, self.reads) = (url, store, resources, reads)
            (self.capacity, self.seed) = (capacity, seed)
        }

        /// Prints the number of reads, of wrong bodies, of sent requests, and the largest usage in bytes.
        func run() async throws -> Int32 {
            let cache = ValkeyCacheStore(
                ValkeyClient(try ValkeyClient.Configuration(store)), seal: try ValueSeal(key: Secret(Self.key)),
                capacity: capacity)
            let interceptor = CacheInterceptor(cache)
            let session = PlatformSession.platform.intercepted(by: interceptor)
            var random = SplitMix(state: seed)
            let order = Array(0..<resources).shuffled(using: &random)
            let tallies = try await withThrowingTaskGroup(of: (wrong: Int, largest: Int64).self) { group in
                for task in 0..<Self.tasks {
                    let own = stride(from: task, to: resources, by: Self.tasks).map { order[$0] }
                    let further = max(0, reads - resources) / Self.tasks
                    let seed = random.next()
                    group.addTask {
                        var random = SplitMix(state: seed)
                        let later = (0..<further).map { _ in Int.random(in: 0..<resources, using: &random) }
                        return try await read(own + later, session, cache)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let wrong = tallies.reduce(0) { $0 + $1.wrong }, largest = tallies.map(\.largest).max() ?? 0
            let misses = interceptor.statistics.misses
            print("\(max(reads, resources)) \(wrong) \(misses) \(largest) \(cache.damagedEntries)")
            return wrong == 0 && largest <= capacity && cache.damagedEntries == 0 ? 0 : 1
        }

        private func read(
            _ numbers: [Int], _ session: any APISession, _ cache: ValkeyCacheStore
        ) async throws -> (wrong: Int, largest: Int64) {
            var (wrong, largest) = (0, Int64(0))
            for (index, number) in numbers.enumerated() {
                let request = APIRequest(head: URLRequest(url: url.appending(path: "\(number)")), body: .none)
                let body = try await session.send(request).body.collect()
                if body != CacheOrigin.body(number) { wrong += 1 }
                if index.isMultiple(of: 20) { largest = max(largest, try await cache.usage.bytes) }
            }
            return (wrong, max(largest, try await cache.usage.bytes))
        }
    }
}
