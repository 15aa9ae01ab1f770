import ErrandLoopback
import Foundation

/// The number of keep-alive requests per second that the loopback server serves, to show that it does not limit the
/// other benchmarks.
///
/// `wrk` creates the load in another process, with 64 connections.
struct LoopbackBenchmark {
    let seconds: Int

    func run() async throws {
        let body = #"{"id":"LIHoumDou1I","likes":22,"user":{"name":"Nobody"}}"#
        try await LoopbackServer.withServer { _ in
            .json(body)
        } _: { server in
            let output = try load(server.url)
            guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix("Requests/sec:") }),
                let rate = line.split(separator: " ").last.flatMap({ Double($0) })
            else { throw Failure("expected a rate in the output of wrk, found:\n\(output)") }
            print("loopback server, 64 connections, keep-alive: \(Int(rate)) requests/s")
        }
    }

    private func load(_ url: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["wrk", "-t1", "-c64", "-d\(seconds)s", url.absoluteString]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure("wrk failed or is not installed") }
        return String(decoding: printed, as: UTF8.self)
    }
}
