package import Foundation

/// A temporary folder of a test. It is removed with this value.
package final class ScratchFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "errand-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Creates a file with the given bytes.
    package func file(_ bytes: Data, name: String = "body") throws -> URL {
        let file = url.appending(path: name)
        try bytes.write(to: file)
        return file
    }

    /// Creates a named pipe without a writer.
    package func pipe() throws -> URL {
        let file = url.appending(path: "pipe")
        guard mkfifo(file.path, 0o600) == 0 else { throw POSIXError(.EIO) }
        return file
    }

    /// Returns the names of all files, sorted.
    package func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    /// Returns the names of the hidden files.
    package func leftovers() throws -> [String] {
        try names().filter { $0.hasPrefix(".") }
    }

    /// Returns the permissions of a file.
    package func mode(of name: String) throws -> Int {
        let facts = try FileManager.default.attributesOfItem(atPath: url.appending(path: name).path)
        return (facts[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    /// Waits until all hidden files are removed. The test's time limit ends the wait.
    package func waitUntilTidy() async throws {
        try await Soak.wait { try self.leftovers().isEmpty }
    }
}
