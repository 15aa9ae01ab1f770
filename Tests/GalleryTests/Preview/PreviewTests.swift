import Errand
import ErrandLoopback
import Testing
import gallery

/// `--preview`: pictures in terminals that speak kitty's protocol.
@Suite(.timeLimit(.minutes(1))) struct PreviewTests {
    @Test(arguments: [
        (["KITTY_WINDOW_ID": "1"], true), (["TERM": "xterm-kitty"], true), (["TERM_PROGRAM": "WezTerm"], true),
        (["TERM_PROGRAM": "ghostty"], true), (["TERM": "xterm-ghostty"], true), ([:], false),
        (["TERM": "xterm-256color"], false), (["KITTY_WINDOW_ID": ""], false),
        (["KITTY_WINDOW_ID": "1", "TERM": "tmux-256color"], false), (["KITTY_WINDOW_ID": "1", "TERM": "dumb"], false),
        (["KITTY_WINDOW_ID": "1", "TMUX": "/run/tmux"], false), (["TERM_PROGRAM": "Apple_Terminal"], false),
    ])
    func `the terminal says whether it speaks the protocol`(environment: [String: String], speaks: Bool) {
        #expect(KittyGraphics.isSpoken(environment) == speaks)
    }

    /// What stands between the controls of a sequence and its end, for each of them.
    private func sequences(_ text: String) -> [(control: String, payload: String)] {
        text.components(separatedBy: "\u{1B}_G").dropFirst().map { part in
            let body = part.components(separatedBy: "\u{1B}\\")[0]
            let halves = body.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (halves[0], halves.last ?? "")
        }
    }

    @Test(arguments: [1, 67, 3_071, 3_072, 3_073, 6_144, 100_000])
    func `the bytes arrive in portions that the protocol allows`(count: Int) {
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
        try await LoopbackServer.withServer(gallery.answer) { [scene] server in
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
        ("", true, ["TERM": "xterm"], "this terminal does not say that it speaks the kitty graphics protocol"),
        ("", false, ["TERM": "xterm-kitty"], "the output is no terminal"),
    ])
    func `elsewhere one line says why nothing is shown`(
        arguments: String, terminal: Bool, variables: [String: String], reason: String
    ) async throws {
        let scene = try await fetch(arguments, terminal: terminal, variables: variables)
        #expect(!scene.output.text.contains("\u{1B}_G"))
        #expect(scene.error.lines == ["gallery: --preview shows nothing: \(reason)"])
    }

    @Test func `beside objects there is nothing but objects, and quiet is quiet`() async throws {
        let json = try await fetch("--json")
        #expect(json.output.lines.allSatisfy { $0.hasPrefix("{") })
        #expect(json.error.lines.first == "gallery: --preview shows nothing beside --json")
        let quiet = try await fetch("--quiet")
        #expect(quiet.output.text.isEmpty && quiet.error.text.isEmpty)
    }

    @Test func `a picture of another kind is left out, which is said once`() async throws {
        let gif = Data("GIF89a".utf8) + Data([1, 0, 1, 0, 0, 0, 0, 0x3B])
        let scene = try await fetch("", picture: .data(gif, type: "image/gif"))
        #expect(!scene.output.text.contains("\u{1B}_G"))
        #expect(scene.error.lines == ["gallery: --preview shows PNG pictures of up to 4 MB; others are left out"])
    }
}
