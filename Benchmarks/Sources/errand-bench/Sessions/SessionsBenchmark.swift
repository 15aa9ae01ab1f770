import CAllocations
import Errand

/// The requests per second of each session and the CPU time of a request, compared with a plain loop in C.
struct SessionsBenchmark {
    let payloads: [Payload]
    /// The URL of the folder with the payloads on a running server. If `nil`, the benchmark starts a server.
    let folder: URL?
    let concurrencies: [Int]
    private let target: TargetOptions
    let turns: Interleaving
    /// The name of the only subject to run, and the number of its requests.
    private let single: (name: String, requests: Int)?

    static let options: Set = [
        "size", "url", "in-flight", "rounds", "block", "hosts", "keep", "connections", "authorities", "only",
        "requests",
    ]

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
        target = try TargetOptions(
            hosts: arguments.number("hosts") ?? 1,
            keepsBytes: arguments.choice("keep", ["objects", "bytes"]) == "bytes",
            isFresh: arguments.choice("connections", ["kept", "new"]) == "new",
            authorities: arguments["authorities"].map { URL(filePath: $0) })
        let block = try arguments.number("block") ?? 300
        turns = try Interleaving(block: .lasting(.milliseconds(block)), rounds: arguments.number("rounds") ?? 5)
        let requests = try arguments.number("requests") ?? 10_000
        single = arguments["only"].map { ($0, requests) }
    }

    /// The subjects of the comparison. Without `URLSession` for other authorities, because it trusts only those of the system.
    private var subjects: [SessionSubject] {
        let floors: [SessionSubject] = [.floor, .floorReading, .reading]
        let transports = PlatformSubjects.sessions(authorities: target.authorities)
        guard target.authorities == nil else { return floors + transports }
        return floors + [
            .plain(Self.urlSession, URLSession(configuration: .default)),
            .loader("URLSession", URLSession(configuration: .ephemeral)),
        ] + transports
    }
    /// The indices of the two floors.
    private static let base = (floor: 0, reading: 1)
    /// The name of the third baseline. It is not measured with other authorities.
    private static let urlSession = "URLSession"

    func run() async throws {
        if let folder {
            try await compare(in: folder)
        } else {
            try await ServerProcess.use { try await compare(in: $0) }
        }
    }

    private func compare(in folder: URL) async throws {
        for payload in payloads {
            let target = Target(payload, in: folder, target)
            let subjects = subjects
            if let single {
                try await run(single.name, of: subjects, target, requests: single.requests)
                continue
            }
            print("\n\(target.url), \(payload.bytes) bytes: median (quartiles) of \(turns.rounds) rounds")
            var table = Table(
                "", "requests/s", "× floor", "× floor + \(target.use)", "× URLSession", "CPU µs", "× floor",
                "× floor + \(target.use)")
            for inFlight in concurrencies {
                let results = try await turns.measure(
                    subjects.map { try $0.variant(target, inFlight: inFlight) })
                let (floor, reading) = (results[Self.base.floor], results[Self.base.reading])
                let plain = results.first { $0.name == Self.urlSession }
                for result in results {
                    table.add(
                        "\(result.name), \(inFlight) in flight", result.rate.median.integer,
                        result.rateRatio(to: floor).ratio, result.rateRatio(to: reading).ratio,
                        plain.map { result.rateRatio(to: $0).ratio } ?? "", result.cpu.median.micros,
                        result.cpuRatio(to: floor).ratio, result.cpuRatio(to: reading).ratio)
                }
            }
            table.print()
        }
    }

    /// Runs one subject, and prints the number of its allocations. `system-calls.sh` counts its system calls.
    private func run(
        _ name: String, of subjects: [SessionSubject], _ target: Target, requests: Int
    ) async throws {
        guard let subject = subjects.first(where: { $0.name(target) == name }) else {
            let names = subjects.map { "\"\($0.name(target))\"" }.joined(separator: ", ")
            throw Failure("invalid value \"\(name)\" of --only: expected one of \(names)")
        }
        for inFlight in concurrencies {
            let variant = try subject.variant(target, inFlight: inFlight)
            _ = try await variant.run(.times(2 * inFlight))
            errand_allocations_begin()
            let runs = try await variant.run(.times(requests))
            let allocations = Double(errand_allocations_end()) / Double(runs)
            let counted = errand_allocations_are_counted() ? allocations.tenths : "not counted on this platform"
            print("\(name), \(inFlight) in flight, allocations for each request: \(counted)")
        }
    }
}
