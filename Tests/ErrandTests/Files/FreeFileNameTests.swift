import Errand
import ErrandSupport
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct FreeFileNameTests {
    private struct Full: Error {}

    /// Creates an empty file unless the name is taken.
    @Sendable private static func create(_ url: URL) throws(Full) -> Bool {
        let descriptor = open(url.path(percentEncoded: false), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            guard errno == EEXIST else { throw Full() }
            return false
        }
        close(descriptor)
        return true
    }

    private func names(_ name: String, _ count: Int, in folder: URL) throws -> [String?] {
        let name = try #require(SafeFileName(name))
        return try (0..<count).map { _ in try FreeFileName.create(name, in: folder, Self.create)?.lastPathComponent }
    }

    @Test func `taken names get a number before the extension`() throws {
        let folder = try ScratchFolder()
        #expect(try names("a.txt", 3, in: folder.url) == ["a.txt", "a (2).txt", "a (3).txt"])
        #expect(try names("100%.tar.gz", 2, in: folder.url) == ["100%.tar.gz", "100% (2).tar.gz"])
        let long = String(repeating: "é", count: 200) + ".txt"
        #expect(Set(try names(long, 12, in: folder.url)).count == 12)
    }

    @Test func `folders and dangling links take a name`() throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(at: folder.url.appending(path: "a"), withIntermediateDirectories: false)
        let link = folder.url.appending(path: "a (2)").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/missing/target")
        #expect(try names("a", 1, in: folder.url) == ["a (3)"])
    }

    @Test func `concurrent downloads get different names`() async throws {
        let folder = try ScratchFolder()
        let name = try #require(SafeFileName("photo.jpg"))
        let urls = try await withThrowingTaskGroup(of: URL?.self) { group in
            for _ in 0..<50 { group.addTask { try FreeFileName.create(name, in: folder.url, Self.create) } }
            return try await group.reduce(into: Set<URL>()) { urls, url in urls.insert(try #require(url)) }
        }
        #expect(urls.count == 50)
    }

    @Test func `the number of names is limited, and an error ends the search`() throws {
        let name = try #require(SafeFileName("a.txt"))
        let folder = URL(filePath: "/missing")
        var tried: [String] = []
        let url = FreeFileName.create(name, in: folder) { url in
            tried.append(url.lastPathComponent)
            return false
        }
        #expect(url == nil && Set(tried).count == 9_999 && tried.last == "a (9999).txt")
        #expect(throws: Full.self) { try FreeFileName.create(name, in: folder, Self.create) }
    }
}
