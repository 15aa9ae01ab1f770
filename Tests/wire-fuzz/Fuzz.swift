import Errand
import ErrandTesting

/// Tests a session with malformed responses, in a process that the session may end.
///
/// - `wire-fuzz --session urlsession|curl [--seed S] [--count N] [--from N]` sends requests to a server that mutates
///   its responses.
/// - `wire-fuzz --matrix urlsession|curl` prints a column of the fault matrix.
/// - `wire-fuzz --show N [--seed S]` prints one mutated response.
/// - `wire-fuzz --http2 URL --authorities FILE` sends requests to `Tests/http2.py`. With `--exit-after MILLISECONDS`
///   the process exits while calls to the URL are in flight.
/// - `wire-fuzz --upload tus|http-draft URL FILE STATE [CHUNK]` uploads a file with resumption, for `Tests/uploads.sh`.
/// - `wire-fuzz --events urlsession|curl URL STREAMS EVENTS` receives event streams, for `Tests/events.sh`.
/// - `wire-fuzz --cache FOLDER CAPACITY TRAFFIC SEED` writes and reads stored responses, for `Tests/cache.sh`.
/// - `wire-fuzz --limit-server RATE BURST` and `wire-fuzz --limit-client URL STORE REQUESTS RATE [MODE WORKERS]` are the
///   processes of `Tests/limits.sh`.
/// - `wire-fuzz --cache-origin` and `wire-fuzz --cache-client URL STORE RESOURCES READS CAPACITY SEED` are the processes of
///   `Tests/shared-cache.sh`.
/// - `wire-fuzz --token-server` and `wire-fuzz --token-client URL STORE SECONDS` are the processes of `Tests/tokens.sh`.
///
/// The exit status is 0 for success, 1 if violations were printed, 64 for wrong usage, 69 for a session that this
/// platform does not have, and 70 for an unexpected error.
@main enum Fuzz {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let upload = UploadClient(arguments) { exit(await upload.run()) }
        if let events = EventClient(arguments) { exit(await events.run()) }
        if let cache = CacheClient(arguments) { exit(await cache.run()) }
        if let trial = LimitTrial(arguments) { exit(await trial.run()) }
        if let trial = SharedCacheTrial(arguments) { exit(await trial.run()) }
        if let trial = TokenTrial(arguments) { exit(await trial.run()) }
        guard let plan = Plan(arguments) else {
            print(
                "usage: wire-fuzz --session urlsession|curl [--seed S] [--count N] [--from N], or --show N [--seed S]")
            exit(64)
        }
        #if os(Linux)
            if let server = plan.http2, let authorities = plan.authorities {
                guard let delay = plan.exitDelay else { exit(await run(server, authorities)) }
                return await ExitTrial(server: server, authorities: authorities).run(milliseconds: delay)
            }
        #endif
        if let index = plan.shown { return show(WireMutator(seed: plan.seed).exchange(index)) }
        guard let subject = Subject.all.first(where: { $0.name == plan.session }) else {
            print("unsupported: this platform has no session \(plan.session)")
            exit(69)
        }
        do {
            exit(try await run(plan, subject) ? 0 : 1)
        } catch {
            print(error)
            exit(70)
        }
    }

    /// Returns whether there were no violations.
    private static func run(_ plan: Plan, _ subject: Subject) async throws -> Bool {
        #if os(Linux)
            print("with \(CurlSession.libraryVersion)")
        #endif
        if plan.isMatrix { return try await FaultMatrix(subject: subject).run() }
        let fuzz = WireFuzz(seed: plan.seed, count: plan.count, from: plan.start)
        let before = ProcessFigures.now
        let report = try await fuzz.run(subject.make())
        // The thread of a CurlSession frees its memory after the session is deallocated, but not when the process ends
        // first.
        if subject.name == "curl" { _ = await ProcessFigures.settled(within: before) }
        print(report)
        let mutator = WireMutator(seed: plan.seed)
        let unknown = report.violations.filter { !subject.isKnownFlaw(mutator.exchange($0.index), $0.reason) }
        let known = report.violations.count - unknown.count
        if known > 0 { print("\(known) of them are known flaws of the platform") }
        // Known flaws are rare. A larger number has another cause.
        return unknown.isEmpty && known <= max(1, plan.count / 20_000)
    }

    #if os(Linux)
        private static func run(_ server: URL, _ authorities: URL) async -> Int32 {
            do {
                return try await HTTP2Faults(server: server, authorities: authorities).run() ? 0 : 1
            } catch {
                print(error)
                return 70
            }
        }
    #endif

    private static func show(_ exchange: WireExchange) {
        print(exchange)
        for part in exchange.parts { print(String(decoding: part, as: UTF8.self).debugDescription) }
        print(exchange.expectation)
    }

    /// The parsed arguments.
    struct Plan {
        var session = ""
        var isMatrix = false
        var seed: UInt64 = 7
        var count = 1_000
        var start = 0
        var shown: Int?
        var http2: URL?
        var authorities: URL?
        var exitDelay: Int?

        init?(_ arguments: [String]) {
            guard arguments.count.isMultiple(of: 2) else { return nil }
            for index in stride(from: 0, to: arguments.count, by: 2) {
                guard set(arguments[index], arguments[index + 1]) else { return nil }
            }
            if session.isEmpty, shown == nil, http2 == nil || authorities == nil { return nil }
        }

        private mutating func set(_ name: String, _ value: String) -> Bool {
            let number = Int(value).flatMap { (0...100_000_000).contains($0) ? $0 : nil }
            switch name {
            case "--session", "--matrix":
                session = value
                isMatrix = name == "--matrix"
                return true
            case "--http2":
                http2 = URL(string: value)
                return http2 != nil
            case "--authorities":
                authorities = URL(filePath: value)
                return true
            case "--seed": seed = UInt64(value) ?? 7
            case "--count": count = number ?? count
            case "--from": start = number ?? start
            case "--show": shown = number
            case "--exit-after": exitDelay = number
            default: return false
            }
            return name == "--seed" ? UInt64(value) != nil : number != nil
        }
    }
}
