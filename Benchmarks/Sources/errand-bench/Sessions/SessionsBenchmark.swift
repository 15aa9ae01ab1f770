import Errand

/// How many requests a session sends in a second, and the CPU time that each takes, beside the plain loop in C.
struct SessionsBenchmark {
    let payloads: [Payload]
    /// The folder of the payloads' files on a server that runs already; nil for one of our own.
    let folder: URL?
    let concurrencies: [Int]
    let turns: Interleaving

    static let options: Set = ["size", "url", "in-flight", "rounds", "block"]

    init(_ arguments: Arguments) throws {
        switch arguments["size"] ?? Payload.listing.rawValue {
        case "all": payloads = Payload.allCases
        case let size:
            guard let payload = Payload(rawValue: size) else { throw Failure("--size is 1k, 100k, 10m or all") }
            payloads = [payload]
        }
        folder = try arguments["url"].map { text in
            guard let url = URL(string: text), url.host() != nil else { throw Failure("--url needs an address") }
            return url
        }
        concurrencies = try arguments.numbers("in-flight") ?? [1, 8, 64]
        let block = try arguments.number("block") ?? 300
        turns = try Interleaving(block: .lasting(.milliseconds(block)), rounds: arguments.number("rounds") ?? 5)
    }

    /// What is compared.
    private static let subjects: [SessionSubject] =
        [
            .floor,
            .floorReading,
            .reading,
            .plain("URLSession", URLSession(configuration: .default)),
            .loader("URLSession", URLSession(configuration: .ephemeral)),
        ] + PlatformSubjects.sessions
    /// The places of what the others are multiples of: in CPU the floor that reads, in rate the plain `URLSession`.
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
                        "\(result.name), \(inFlight) in flight", result.rate.median.whole,
                        result.rateRatio(to: results[Self.base.rate]).ratio, result.cpu.median.micros,
                        result.cpuRatio(to: results[Self.base.cpu]).ratio)
                }
            }
            table.print()
        }
    }
}
