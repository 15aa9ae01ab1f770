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

    private static let uuid: String = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"

    @Test(arguments: [
        (".w.b.raw.\(uuid).part", 25, false), (".w.b.raw.\(uuid).part", 23, true), ("w.b.raw.\(uuid).part", 25, true),
        (".w.b.raw.\(uuid)", 25, true), (".w.b.raw.part", 25, true), (".part", 25, true), (".\(uuid).part", 25, true),
        (".w.b.raw.not-a-uuid.part", 25, true), ("w.b.raw.png", 25, true),
    ])
    func `only hidden files of killed runs are removed after a day`(
        name: String, hours: Double, stays: Bool
    ) async throws {
        try folder.put(Data("left".utf8), name)
        let date = Date(timeIntervalSinceNow: -hours * 3_600)
        let path = folder.url.appending(path: name).path
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        try await PictureDownloader(into: folder.url, session: session).download([picture]) { _ in }
        #expect(folder.names == (stays ? [name, "w.a.raw.png"] : ["w.a.raw.png"]).sorted())
    }

    @Test func `a folder with the name of a hidden file is kept`() async throws {
        let obstacle = folder.url.appending(path: ".w.b.raw.\(Self.uuid).part")
        try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false)
        let date = Date(timeIntervalSinceNow: -90_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: obstacle.path)
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        try await PictureDownloader(into: folder.url, session: session).download([picture]) { _ in }
        #expect(folder.names.count == 2)
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
