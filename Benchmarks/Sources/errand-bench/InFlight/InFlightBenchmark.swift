import Errand
import Foundation

/// The memory of each request in flight, on a separate connection. The server holds all requests until the last one has
/// arrived. Each measurement runs in another process, so that no memory is used again.
struct InFlightBenchmark {
    private static let subjects = ["floor", "URLSession", "CurlSession"]
    private static let counts = [1_000, 10_000]

    /// Compares the subjects.
    func run() async throws {
        var table = Table("kB for each request in flight", "1,000", "10,000")
        try await ServerProcess.use { server in
            for subject in Self.subjects {
                let cells = try Self.counts.map { try Self.measureInChild(subject, $0, server) }
                table.add(subject, cells[0], cells[1])
            }
        }
        table.print()
    }

    /// Measures one subject, and prints the result. Called in the other process.
    static func measure(_ arguments: some Sequence<String>) async throws {
        let words = Array(arguments)
        guard words.count == 3, let count = Int(words[1]), let url = URL(string: words[2]) else {
            throw Failure("expected a subject, a number of requests and a URL")
        }
        try await start(words[0], 1, url)
        let before = ResidentMemory.now
        try ResidentMemory.forgetPeak()
        try await start(words[0], count, url)
        print((Double(ResidentMemory.peak - before) / Double(count) / 1_000).tenths)
    }

    private static func measureInChild(_ subject: String, _ count: Int, _ server: URL) throws -> String {
        let (process, output) = (Process(), Pipe())
        guard let program = Bundle.main.executableURL else { throw Failure("expected the path of this executable") }
        process.executableURL = program
        process.arguments = ["in-flight", subject, "\(count)", server.absoluteString]
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return "failed" }
        return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    private static func start(_ subject: String, _ count: Int, _ server: URL) async throws {
        let url = server.appending(path: "held/\(count)")
        let call: @Sendable (Int) async throws -> Void
        switch subject {
        case "floor":
            let floor = try Floor(Target(url), inFlight: count) { _, _ in }
            return _ = try floor.run(.times(count))
        case "URLSession":
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpMaximumConnectionsPerHost = count
            let session = URLSession(configuration: configuration)
            call = { _ in _ = try await session.data(from: url) }
        default:
            let session = try PlatformSubjects.session(connections: count)
            call = { _ in _ = try await session.send(APIRequest(URLRequest(url: url))) }
        }
        _ = try await Variant(subject, inFlight: count, call).run(.times(count))
    }
}

/// Holds requests until a number of them has arrived.
actor RequestGate {
    static let shared = RequestGate()

    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass(when count: Int) async {
        await withCheckedContinuation { waiter in
            waiting.append(waiter)
            guard waiting.count >= count else { return }
            for waiter in waiting { waiter.resume() }
            waiting = []
        }
    }
}
