import ErrandLoopback
import Foundation

/// A loopback server in a process of its own, so that this one's CPU time is the client's alone.
///
/// The other process is this program, started with `serve`. It prints its port, and ends when its input does: so it
/// can't outlive this one, however this one ends.
struct ServerProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Runs a body with the server's address, and ends the server in any case.
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

    /// What the other process does.
    static func serve(_ handler: @escaping LoopbackServer.Handler) async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.sendsDate = true
        configuration.bodyPolicy = .discard
        configuration.limits.bodyBytes = .max
        try await LoopbackServer.withServer(configuration: configuration, handler) { server in
            try FileHandle.standardOutput.write(contentsOf: Data("\(server.port)\n".utf8))
            _ = try FileHandle.standardInput.readToEnd()
        }
    }

    private func start() throws -> URL {
        guard let program = Bundle.main.executableURL else { throw Failure("where is this program?") }
        process.executableURL = program
        process.arguments = ["serve"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .newlines)), let url = URL(string: "http://127.0.0.1:\(port)/")
        else {
            end()
            throw Failure("the server did not start")
        }
        return url
    }

    private func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
