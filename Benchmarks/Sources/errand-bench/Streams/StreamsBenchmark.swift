import Errand
import Foundation

/// The time of many concurrent calls to one HTTP/2 server, compared with the time that the server needs if all streams of one
/// connection are always used. `Benchmarks/streams.sh` starts the server.
struct StreamsBenchmark {
    /// The number of streams that the server allows for each connection, and the delay of each response in seconds.
    private static let streams = 250
    private static let delay = 0.1
    /// The limit of the ratio, and the attempts that may exceed it because of the load of other programs.
    private static let limit = 1.15
    private static let attempts = 3

    private let url: URL
    private let authorities: URL

    init(_ arguments: some Sequence<String>) throws(Failure) {
        let words = Array(arguments)
        guard words.count == 2, let url = URL(string: words[0]), url.scheme == "https" else {
            throw Failure("expected an https URL and a PEM file")
        }
        (self.url, authorities) = (url, URL(filePath: words[1]))
    }

    func run() async throws {
        var table = Table("calls", "cold s", "× bound", "warm s", "× bound")
        var slow: [Int] = []
        for count in [1_000, 10_000] {
            let bound = Double(count) * Self.delay / Double(Self.streams)
            var best = try await times(count)
            for _ in 1..<Self.attempts where max(best.cold, best.warm) > bound * Self.limit {
                let next = try await times(count)
                best = (min(best.cold, next.cold), min(best.warm, next.warm))
            }
            let (cold, warm) = best
            table.add("\(count)", cold.ratio, (cold / bound).ratio, warm.ratio, (warm / bound).ratio)
            if max(cold, warm) > bound * Self.limit { slow.append(count) }
        }
        table.print()
        if !slow.isEmpty { throw Failure("\(slow) calls took more than \(Self.limit) × the bound") }
    }

    /// Returns the seconds of the first calls of a session, and of the same number of calls again.
    private func times(_ count: Int) async throws -> (cold: Double, warm: Double) {
        let session = try PlatformSubjects.multiplexing(authorities: authorities)
        return (try await time(count, over: session), try await time(count, over: session))
    }

    private func time(_ count: Int, over session: any APISession) async throws -> Double {
        let request = try APIRequest(URLRequest(url: url))
        let start = ProcessClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let response = try await session.send(request)
                    guard response.head.status == 200, response.metrics?.protocolName == "h2" else {
                        throw Failure("expected status 200 over HTTP/2, found \(response.head.status)")
                    }
                }
            }
            try await group.waitForAll()
        }
        return (ProcessClock.now.wall - start.wall) / 1_000_000
    }
}
