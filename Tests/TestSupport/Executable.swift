package import Foundation

/// A program to run as a process: a product of this package, found next to the test bundle, or a program of the system.
package struct Executable: Sendable {
    package let url: URL

    /// Creates a program that this package does not build.
    package init(file url: URL) {
        self.url = url
    }

    /// Finds a program of the system on the search path. Returns `nil` if it is not installed.
    package init?(named name: String) {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let found = path.split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else { return nil }
        url = URL(filePath: found)
    }

    /// Finds a product by name. Returns `nil` if it is not built.
    package init?(product name: String) {
        let candidates =
            [Bundle.main.bundleURL, URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent()]
            + Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        let found = candidates.map { $0.appending(path: name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }
        guard let found else { return nil }
        url = found
    }

    /// The result of a run.
    package struct Ending: Sendable {
        package let output: String
        package let status: Int32
        /// The signal that ended the program, or `nil` if it exited.
        package let signal: Int32?
    }

    /// Runs the program with a text on its standard input. Returns its output and its exit status.
    package func run(_ arguments: [String] = [], input: String = "") async throws -> (output: String, status: Int32) {
        let ending = try await ending(arguments, input: input)
        return (ending.output, ending.status)
    }

    /// Runs the program. The result includes the signal if one ended the program.
    package func ending(
        _ arguments: [String] = [], input: String = "", environment: [String: String] = [:]
    ) async throws -> Ending {
        try await withCheckedThrowingContinuation { continuation in
            // Uses a new thread, because waiting for a process would block other tests.
            Thread.detachNewThread {
                continuation.resume(with: Result { try runBlocking(arguments, input, environment) })
            }
        }
    }
}
