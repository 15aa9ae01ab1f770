import Errand
import ErrandLoopback
import ErrandTesting
import Testing
import gallery

@Suite(.timeLimit(.minutes(1))) struct ArchiveOptionTests {
    private static let key: String = "test-key-4711"
    private let scene: FetchScene

    init() throws {
        scene = try FetchScene()
    }

    private var file: URL { URL(filePath: scene.folder.path + "/calls.har") }

    @Test func `har writes the requests and responses without the key`() async throws {
        try await LoopbackServer.withServer(GalleryDouble().reply) { server in
            let status = await scene.fetch(
                "--har", file.path, "--access-key", Self.key, "--concurrency=1", from: server)
            #expect(status == .success && scene.error.text.isEmpty)
        }
        #expect(!(try String(contentsOf: file, encoding: .utf8)).contains(Self.key))
        let archive = try HTTPArchive(contentsOf: file)
        #expect(archive.entries.count == 7)
        #expect(archive.entries.allSatisfy { $0.response?.status == 200 && $0.failure == nil })
        let pictures = archive.entries.filter { $0.request.url.contains("/picture/") }
        #expect(pictures.map { $0.response?.body.bytes } == Array(repeating: GalleryDouble.png, count: 3))
    }

    @Test func `a failed run also writes the file`() async throws {
        let gallery = GalleryDouble(special: { _ in .status(503) })
        try await LoopbackServer.withServer(gallery.reply) { server in
            #expect(await scene.fetch("--har=\(file.path)", from: server) == .failure)
        }
        #expect(try HTTPArchive(contentsOf: file).entries.map { $0.response?.status } == [503])
    }

    @Test func `a file that can't be written is an error`() async throws {
        try await LoopbackServer.withServer(GalleryDouble().reply) { server in
            #expect(await scene.fetch("--har", scene.folder.path + "/none/calls.har", from: server) == .failure)
        }
        #expect(scene.complaints == ["gallery: the HAR file can't be written: no such file or folder"])
        #expect(scene.pictures.count == 3)
    }
}
