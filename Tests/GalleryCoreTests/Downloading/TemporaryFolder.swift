import Errand

/// A temporary folder that is removed when it is released.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The sorted names of all files, including hidden ones.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

    func put(_ data: Data, _ name: String) throws {
        try data.write(to: url.appending(path: name))
    }

    func data(_ name: String) throws -> Data {
        try Data(contentsOf: url.appending(path: name))
    }
}
