import Errand

/// The requests per second of each session and the CPU time of a request, compared with a plain loop in C.
struct SessionsBenchmark {
    let payloads: [Payload]
    /// The URL of the folder with the payloads on a running server. If `nil`, the benchmark starts a server.
    let folder: URL?
    let concurrencies: [Int]
    let turns: Interleaving

    static let options: Set = ["size", "url", "in-flight", "rounds", "block"]

    init(_ arguments: Arguments) throws {
        switch arguments["size"] ?? Payload.listing.rawValue {
        case "all": payloads = Payload.allCases
        case let size:
            guard let payload = Payload(rawValue: size) else {
                throw Failure("invalid value \"\(size)\" of --size: expected 1k, 100k, 10m or all")
            }
            payloads = [payload]
        }
        folder = try arguments["url"].map { text in
            guard let url = URL(string: text), url.host() != nil else {
                throw Failure("invalid value \"\(text)\" of --url: expected a URL with a host")
            }
            return url
        }
        concurrencies = try arguments.numbers("in-flight") ?? [1, 8, 64]
        let block = try arguments.number("block") ?? 300
        turns = try Interleaving(block: .lasting(.milliseconds(block)), rounds: arguments.number("rounds") ?? 5)
    }

    /// The subjects of the comparison.
    private static let subjects: [SessionSubject] =
        [
            .floor,
            .floorReading,
            .reading,
            .plain("URLSession", URLSession(configuration: .default)),
            .loader("URLSession", URLSession(configuration: .ephemeral)),
        ] + PlatformSubjects.sessions
    /// The indices of the baselines: the floor that decodes for the CPU time, and the plain `URLSession` for the rate.
    private static let base = (cpu: 1, rate: 3)

    func run() async throws {
        if let folder {
            try await compare(in: folder)
        } else {
            try await ServerProcess.use { try await compare(in: $0) }
        }
    }

    private func compare(in folder: URL) async throws {
        for payload in payloads {
            let target = Target(payload, in: folder)
            print("\n\(target.url), \(payload.bytes) bytes: median (quartiles) of \(turns.rounds) rounds")
            var table = Table("", "requests/s", "× URLSession", "CPU µs", "× floor + \(payload.use)")
            for inFlight in concurrencies {
                let results = try await turns.measure(
                    Self.subjects.map { try $0.variant(target, inFlight: inFlight) })
                for result in results {
                    table.add(
                        "\(result.name), \(inFlight) in flight", result.rate.median.integer,
                        result.rateRatio(to: results[Self.base.rate]).ratio, result.cpu.median.micros,
                        result.cpuRatio(to: results[Self.base.cpu]).ratio)
                }
            }
            table.print()
        }
    }
}
