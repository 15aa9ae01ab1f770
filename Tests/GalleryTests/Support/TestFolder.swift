import Errand

/// A folder of a test's own, which goes with it.
final class TestFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "gallery-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var path: String { url.path }

    /// Everything in it or in a folder below it, hidden files included.
    func names(in folder: String = "") -> [String] {
        let place = folder.isEmpty ? url : url.appending(path: folder)
        return ((try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []).sorted()
    }
}
