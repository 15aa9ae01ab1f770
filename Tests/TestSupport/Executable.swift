package import Foundation

/// A program that is run as a process: one that this package builds, found beside the test bundle, or the system's.
package struct Executable: Sendable {
    package let url: URL

    /// A program that this package does not build.
    package init(file url: URL) {
        self.url = url
    }

    /// Finds a program of the system on the search path; nil where it is not installed.
    package init?(named name: String) {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let found = path.split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else { return nil }
        url = URL(filePath: found)
    }

    /// Finds a product by name; nil where it is not built.
    package init?(product name: String) {
        let candidates =
            [Bundle.main.bundleURL, URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent()]
            + Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        let found = candidates.map { $0.appending(path: name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }
        guard let found else { return nil }
        url = found
    }

    /// How a run ended.
    package struct Ending: Sendable {
        package let output: String
        package let status: Int32
        /// The signal that ended it, nil where it ended by itself.
        package let signal: Int32?
    }

    /// Runs the program with a text on its standard input, and returns what it printed and its status.
    package func run(_ arguments: [String] = [], input: String = "") async throws -> (output: String, status: Int32) {
        let ending = try await ending(arguments, input: input)
        return (ending.output, ending.status)
    }

    /// Runs the program, which may be ended by a signal.
    package func ending(
        _ arguments: [String] = [], input: String = "", environment: [String: String] = [:]
    ) async throws -> Ending {
        try await withCheckedThrowingContinuation { continuation in
            // A thread of its own: waiting for a process would keep other tests from running.
            Thread.detachNewThread {
                continuation.resume(with: Result { try runBlocking(arguments, input, environment) })
            }
        }
    }
}
