import Errand

/// A folder of a test's own, which goes with it.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Everything in it, hidden files included.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

    func put(_ data: Data, _ name: String) throws {
        try data.write(to: url.appending(path: name))
    }

    func data(_ name: String) throws -> Data {
        try Data(contentsOf: url.appending(path: name))
    }
}
