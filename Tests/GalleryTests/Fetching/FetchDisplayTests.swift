import Errand
import ErrandLoopback
import TestSupport
import Testing
import gallery

@Suite(.timeLimit(.minutes(1))) struct FetchDisplayTests {
    private func run(
        _ gallery: GalleryDouble = GalleryDouble(), columns: Int = 40, variables: [String: String] = [:]
    ) async throws -> FetchScene {
        let terminal = RecordedStream(isTerminal: true, columns: columns)
        var scene = try FetchScene(output: RecordedStream(isTerminal: true, columns: columns), error: terminal)
        scene.variables = variables
        try await LoopbackServer.withServer(gallery.reply) { [scene] server in
            #expect(await scene.fetch("--concurrency=1", from: server) == .success)
        }
        return scene
    }

    /// Returns the texts of the progress line, one per update.
    private func frames(_ scene: FetchScene) -> [String] {
        scene.error.text.components(separatedBy: "\u{1B}[K").filter { !$0.isEmpty && $0 != "\r" }
    }

    @Test(arguments: [12, 30, 40, 80])
    func `the progress on a terminal is one line that fits`(columns: Int) async throws {
        let scene = try await run(GalleryDouble(title: "霧の湖 👩‍👩‍👧"), columns: columns)
        let frames = frames(scene)
        #expect(frames.count >= 4)
        #expect(
            frames.allSatisfy { $0.hasPrefix("\r") && String($0.dropFirst()).columns < columns && !$0.contains("\n") })
        #expect(scene.error.text.hasSuffix("\r\u{1B}[K"))
    }

    @Test func `titles are bold unless NO_COLOR is set`() async throws {
        #expect(try await run().output.text.contains("\u{1B}[1mLake p1\u{1B}[0m, by"))
        let plain = try await run(variables: ["NO_COLOR": "1"])
        #expect(!plain.output.text.contains("\u{1B}[1m") && plain.output.text.contains("Lake p1, by"))
        #expect(plain.error.text.contains("\r"))
    }

    @Test(arguments: [true, false])
    func `the bytes of a picture are shown on a terminal during its download`(isTerminal: Bool) async throws {
        let scene = try FetchScene(error: RecordedStream(isTerminal: isTerminal))
        let picture = GalleryDouble.png + Data(count: 2_000_000)
        let shown = "1.0 MB of 2.0 MB"
        let gallery = GalleryDouble(
            ids: ["p1"],
            special: { request in
                guard request.path == "/picture/p1" else { return nil }
                return .stream(type: "image/png", contentLength: picture.count) { writer in
                    try await writer.write(picture.prefix(1_000_000))
                    if isTerminal { try await Soak.wait { scene.error.text.contains(shown) } }
                    try await writer.write(picture.dropFirst(1_000_000))
                }
            })
        try await LoopbackServer.withServer(gallery.reply) { server in
            #expect(await scene.fetch(from: server) == .success)
        }
        #expect(isTerminal ? scene.error.text.contains("0 of 1  \(shown)") : scene.error.text.isEmpty)
        #expect(scene.output.lines.last?.contains(": 2.0 MB in ") == true && scene.pictures.count == 1)
    }

    /// The screen does not flicker, because each write replaces the text that it removes.
    @Test func `a result replaces the progress line in one write`() async throws {
        let scene = try await run()
        #expect(scene.error.text.components(separatedBy: "\r\u{1B}[K").count == 2)
        for line in scene.output.lines.dropLast() {
            // The line is cleared first, because clearing after a full line would remove its last character.
            #expect(line.hasPrefix("\r\u{1B}[K\u{1B}[1mLake p") && line.hasSuffix(".png"))
        }
        #expect(scene.output.lines.last?.hasPrefix("3 fetched, ") == true)
    }

    @Test func `a dumb terminal gets only plain lines`() async throws {
        let scene = try await run(variables: ["TERM": "dumb"])
        #expect(scene.error.text.isEmpty && !scene.output.text.contains("\u{1B}"))
    }

    @Test func `control characters in a title are escaped`() async throws {
        let gallery = GalleryDouble(ids: ["p1"], title: #"Red\u001b[31m\nline\u009b2J\u202e"#)
        let scene = try await run(gallery)
        #expect(scene.output.text.contains("Red\\u{1B}[31m\\u{A}line\\u{9B}2J\\u{202E} p1"))
        #expect(!(scene.output.text + scene.error.text).contains("\u{1B}[31m"))
        #expect(scene.pictures == ["red-31m-line-2j-p1.p1.regular.png"])
    }

    @Test func `control characters in JSON are escaped`() async throws {
        let gallery = GalleryDouble(ids: ["p1"], title: #"\u001b\u009b\u202e\u2028"#)
        let output = RecordedStream()
        let scene = try FetchScene(output: output)
        try await LoopbackServer.withServer(gallery.reply) { server in
            #expect(await scene.fetch("--json", from: server) == .success)
        }
        #expect(output.text.lowercased().contains(#""title":"\u001b\u009b\u202e\u2028 p1""#))
        let object = try JSONSerialization.jsonObject(with: Data(output.text.utf8)) as? [String: Any]
        #expect(object?["title"] as? String == "\u{1B}\u{9B}\u{202E}\u{2028} p1")
    }
}
