import Errand
import GalleryCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct PictureFolderTests {
    private let folder: TemporaryFolder
    private let picture: Picture

    init() throws {
        folder = try TemporaryFolder()
        picture = Picture(
            id: "a", words: "w", variant: "raw", url: try #require(URL(string: "http://pictures.example/a")))
    }

    private func refusal(in destination: URL) async throws -> String {
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        let downloader = PictureDownloader(into: destination, session: session)
        let error = await #expect(throws: DownloadError.self) { try await downloader.download([picture]) { _ in } }
        #expect(error?.code == .disk && session.recorded.isEmpty)
        return try #require(error).reason.replacingOccurrences(of: folder.url.path, with: "T")
    }

    @Test func `a missing folder is created with its parents`() async throws {
        let destination = folder.url.appending(path: "x/y")
        let downloader = PictureDownloader(
            into: destination, session: CountingSession { _ in (200, [:], SamplePicture.png) })
        try await downloader.download([picture]) { _ in }
        #expect(FileManager.default.fileExists(atPath: destination.appending(path: "w.a.raw.png").path))
    }

    @Test(arguments: [nil, Data(SamplePicture.png.dropLast(9))])
    func `a new or replaced picture has the default permissions`(older: Data?) async throws {
        if let older { try folder.put(older, "w.a.raw.png") }
        let headers: HeaderFields = ["Content-Length": "\(SamplePicture.png.count)"]
        let session = CountingSession { _ in (200, headers, SamplePicture.png) }
        try await PictureDownloader(into: folder.url, session: session).download([picture]) { _ in }
        let other = open(folder.url.appending(path: "other").path, O_WRONLY | O_CREAT | O_EXCL, 0o666)
        #expect(other >= 0 && close(other) == 0)
        let rights = try ["w.a.raw.png", "other"].map { name in
            let path = folder.url.appending(path: name).path
            return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(rights[0] != nil && rights[0] == rights[1])
        #expect(try folder.data("w.a.raw.png") == SamplePicture.png)
        #expect(folder.names == ["other", "w.a.raw.png"])
    }

    @Test func `a run without pictures does not create the folder`() async throws {
        let destination = folder.url.appending(path: "x")
        try await PictureDownloader(into: destination).download([]) { _ in }
        #expect(folder.names.isEmpty)
    }

    @Test func `a folder that is not writable fails before sending`() async throws {
        try folder.put(Data(), "file")
        let itself = try await refusal(in: folder.url.appending(path: "file"))
        #expect(itself == "can't write to the folder T/file: it is not a folder")
        let below = try await refusal(in: folder.url.appending(path: "file/x"))
        #expect(below == "can't write to the folder T/file/x: a part of the path is not a folder")
    }

    private static let key: String = String(repeating: "0123456789ab", count: 2)

    /// Runs a download in a folder with an older file.
    private func names(after days: Double, _ leftovers: String...) async throws -> [String] {
        let date = Date(timeIntervalSinceNow: -days * 86_400)
        for name in leftovers {
            try folder.put(Data("left".utf8), name)
            let path = folder.url.appending(path: name).path
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        try await PictureDownloader(into: folder.url, session: session).download([picture]) { _ in }
        #expect(folder.names.contains("w.a.raw.png"))
        return folder.names.filter { $0 != "w.a.raw.png" }
    }

    @Test(arguments: [
        (".w.b.raw.gallery-part", false), (".errand-\(key).download", false), (".errand-\(key).json", false),
        (".errand-\(key).json.new", false), ("w.b.raw.gallery-part", true), (".w.b.raw.part", true),
        (".gallery-part.x", true), (".errand-\(key)", true), ("errand-\(key).download", true), (".x.download", true),
        (".x.json", true), ("w.b.raw.png", true),
    ])
    func `only hidden files of killed runs are removed after 7 days`(name: String, stays: Bool) async throws {
        #expect(try await names(after: 6.9, name) == [name])
        #expect(try await names(after: 7.1, name) == (stays ? [name] : []))
    }

    @Test func `a partial file is removed with its record`() async throws {
        let names = [".errand-\(Self.key).download", ".errand-\(Self.key).json"]
        try folder.put(Data("new".utf8), names[1])
        #expect(try await self.names(after: 7.1, names[0]) == [])
        try folder.put(Data("new".utf8), names[0])
        #expect(try await self.names(after: 7.1, names[1]) == names)
    }

    @Test func `a locked partial file is kept`() async throws {
        let files = try DownloadFiles(in: folder.url, name: "x", identity: "x")
        let name = try #require(folder.names.first)
        let path = folder.url.appending(path: name).path
        let date = Date(timeIntervalSinceNow: -8 * 86_400)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        #expect(try await names(after: 0) == [name])
        try files.write(Data("abc".utf8), at: 0)
    }

    @Test func `a folder with the name of a hidden file is kept`() async throws {
        let names = [".errand-\(Self.key).download", ".w.b.raw.gallery-part"]
        for name in names {
            let obstacle = folder.url.appending(path: name)
            try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false)
            let date = Date(timeIntervalSinceNow: -8 * 86_400)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: obstacle.path)
        }
        #expect(try await self.names(after: 0) == names)
    }

    @Test func `a complete file of a killed run is replaced`() async throws {
        #expect(try await names(after: 1, ".w.a.raw.gallery-part") == [])
        #expect(try folder.data("w.a.raw.png") == SamplePicture.png)
    }

    @Test func `a folder with the picture's name fails and leaves no hidden file`() async throws {
        let obstacle = folder.url.appending(path: "w.a.raw.png")
        try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false)
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        var log = EventLog()
        try await PictureDownloader(into: folder.url, session: session).download([picture]) { log.add($0) }
        #expect(log.errors.first?.code == .disk)
        #expect(log.errors.first?.reason.hasSuffix("a folder with this name exists") == true)
        #expect(folder.names == ["w.a.raw.png"])
    }
}
