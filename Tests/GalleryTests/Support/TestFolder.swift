import Errand

/// A temporary folder that is removed when it is released.
final class TestFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "gallery-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var path: String { url.path }

    /// Returns the sorted names of all files in the folder or in a subfolder, including hidden ones.
    func names(in folder: String = "") -> [String] {
        let folderURL = folder.isEmpty ? url : url.appending(path: folder)
        return ((try? FileManager.default.contentsOfDirectory(atPath: folderURL.path)) ?? []).sorted()
    }
}
