import ErrandLoopback
import Foundation

/// A loopback server in another process, so that the CPU time of this process is only that of the client.
///
/// The other process runs this program with the argument `serve`. It prints its port and exits at the end of its
/// standard input, so it never outlives this process.
struct ServerProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Runs a closure with the URL of the server, and then ends the server, even if the closure throws.
    static func use<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let server = ServerProcess()
        let url = try server.start()
        do {
            let result = try await body(url)
            server.end()
            return result
        } catch {
            server.end()
            throw error
        }
    }

    /// Runs the server. Called in the other process.
    static func serve(_ handler: @escaping LoopbackServer.Handler) async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.sendsDate = true
        configuration.bodyPolicy = .discard
        configuration.limits.bodyBytes = .max
        configuration.limits.openConnections = 20_000
        try await LoopbackServer.withServer(configuration: configuration, handler) { server in
            try FileHandle.standardOutput.write(contentsOf: Data("\(server.port)\n".utf8))
            _ = try FileHandle.standardInput.readToEnd()
        }
    }

    private func start() throws -> URL {
        guard let program = Bundle.main.executableURL else {
            throw Failure("expected the path of this executable, found none")
        }
        process.executableURL = program
        process.arguments = ["serve"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .newlines)), let url = URL(string: "http://127.0.0.1:\(port)/")
        else {
            end()
            throw Failure("expected a port number from the server process, found \"\(line)\"")
        }
        return url
    }

    private func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
