import Errand
import ErrandLoopback
import Testing
import gallery

/// Tests `--preview`: pictures in terminals that support kitty's graphics protocol.
@Suite(.timeLimit(.minutes(1))) struct PreviewTests {
    @Test(arguments: [
        (["KITTY_WINDOW_ID": "1"], true), (["TERM": "xterm-kitty"], true), (["TERM_PROGRAM": "WezTerm"], true),
        (["TERM_PROGRAM": "ghostty"], true), (["TERM": "xterm-ghostty"], true), ([:], false),
        (["TERM": "xterm-256color"], false), (["KITTY_WINDOW_ID": ""], false),
        (["KITTY_WINDOW_ID": "1", "TERM": "tmux-256color"], false), (["KITTY_WINDOW_ID": "1", "TERM": "dumb"], false),
        (["KITTY_WINDOW_ID": "1", "TMUX": "/run/tmux"], false), (["TERM_PROGRAM": "Apple_Terminal"], false),
    ])
    func `the environment variables indicate support for the protocol`(environment: [String: String], speaks: Bool) {
        #expect(KittyGraphics.isSpoken(environment) == speaks)
    }

    /// Returns the control data and the payload of each sequence.
    private func sequences(_ text: String) -> [(control: String, payload: String)] {
        text.components(separatedBy: "\u{1B}_G").dropFirst().map { part in
            let body = part.components(separatedBy: "\u{1B}\\")[0]
            let halves = body.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (halves[0], halves.last ?? "")
        }
    }

    @Test(arguments: [1, 67, 3_071, 3_072, 3_073, 6_144, 100_000])
    func `the bytes are split into chunks of the allowed size`(count: Int) {
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let parts = sequences(KittyGraphics.sequences(png: bytes, rows: 8))
        #expect(Data(base64Encoded: parts.map(\.payload).joined()) == bytes)
        #expect(parts.allSatisfy { $0.payload.utf8.count <= 4_096 })
        #expect(parts.dropLast().allSatisfy { $0.payload.utf8.count % 4 == 0 && $0.control.hasSuffix("m=1") })
        #expect(parts.last?.control.hasSuffix("m=0") == true)
        #expect(parts.first?.control.hasPrefix("a=T,f=100,q=2,r=8,m=") == true)
        #expect(parts.dropFirst().allSatisfy { $0.control.hasPrefix("q=2,m=") })
    }

    private func fetch(
        _ arguments: String, terminal: Bool = true, variables: [String: String] = ["TERM": "xterm-kitty"],
        picture: LoopbackReply? = nil
    ) async throws -> FetchScene {
        var scene = try FetchScene(output: RecordedStream(isTerminal: terminal))
        scene.variables = variables
        let gallery = GalleryDouble(special: { $0.path.hasPrefix("/picture/") ? picture : nil })
        try await LoopbackServer.withServer(gallery.reply) { [scene] server in
            let line = ["fetch", "--base-url=\(server.url)", "--output=\(scene.folder.path)/out", "--preview"]
            let console = Console.recording(scene.output, scene.error, environment: variables)
            let all = line + arguments.split(separator: " ").map(String.init)
            #expect(await Program.run(all, environment: variables, on: console) == .success)
        }
        return scene
    }

    @Test func `each picture is shown below its line`() async throws {
        let scene = try await fetch("")
        let shown = sequences(scene.output.text)
        #expect(
            shown.map { Data(base64Encoded: $0.payload) } == [GalleryDouble.png, GalleryDouble.png, GalleryDouble.png])
        #expect(scene.error.text.isEmpty)
    }

    @Test(arguments: [
        ("", true, ["TERM": "xterm"], "this terminal does not announce the kitty graphics protocol"),
        ("", false, ["TERM": "xterm-kitty"], "the output is not a terminal"),
    ])
    func `an unsupported output is one line with the reason`(
        arguments: String, terminal: Bool, variables: [String: String], reason: String
    ) async throws {
        let scene = try await fetch(arguments, terminal: terminal, variables: variables)
        #expect(!scene.output.text.contains("\u{1B}_G"))
        #expect(scene.error.lines == ["gallery: --preview has no effect: \(reason)"])
    }

    @Test func `json prints only objects, and quiet prints nothing`() async throws {
        let json = try await fetch("--json")
        #expect(json.output.lines.allSatisfy { $0.hasPrefix("{") })
        #expect(json.error.lines.first == "gallery: --preview has no effect with --json")
        let quiet = try await fetch("--quiet")
        #expect(quiet.output.text.isEmpty && quiet.error.text.isEmpty)
    }

    @Test func `pictures of other formats are skipped with a single remark`() async throws {
        let gif = Data("GIF89a".utf8) + Data([1, 0, 1, 0, 0, 0, 0, 0x3B])
        let scene = try await fetch("", picture: .data(gif, type: "image/gif"))
        #expect(!scene.output.text.contains("\u{1B}_G"))
        #expect(scene.error.lines == ["gallery: --preview shows only PNG pictures of up to 4 MB"])
    }
}
