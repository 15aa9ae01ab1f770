import Errand
import ErrandLoopback
import Foundation
import TestSupport
import Testing
import gallery

/// Tests the commands other than `gallery fetch`.
@Suite(.timeLimit(.minutes(1))) struct CommandsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let line: [String]
        let says: String?
        var testDescription: String { line.joined(separator: " ") }
        init(_ line: String..., says: String? = nil) { (self.line, self.says) = (line, says) }
    }

    @Test(arguments: [
        Row("search", "lake"), Row("show", "lake-1"), Row("upload", "a.png"),
        Row("upload", "a.png", "b c.jpg", "--", "-d.gif"),
        Row("upload", "a.png", "--description", "Misty lake", "--base-url=http://h.test", "--json"), Row("serve"),
        Row("serve", "--port", "0"), Row("manual"),
        Row("completions", "bash"), Row("search", "lake", "--per-page=3", "--json"),
        Row("cache", "info"), Row("cache", "clear", "--cache", "lists", "--json"),
        Row("fetch", "--cache", "lists"), Row("show", "a", "--no-cache"),
        Row("cache", says: "ACTION is missing (info or clear)"),
        Row("cache", "empty", says: "cache takes info or clear, not 'empty' (see gallery cache --help)"),
        Row("fetch", "--cache=", says: "--cache needs a value (see gallery fetch --help)"),
        Row("fetch", "--no-cahce", says: "unknown option '--no-cahce' (did you mean --no-cache?)"),
        Row("fetch", "--rate", "50", "--shared=rediss://a@h.test:6380/1", "--workers=8", "--base-url=http://h.test"),
        Row(
            "fetch", "--shared=redis://h.test",
            says: "--shared requires an API that the processes share, not the server inside this program "
                + "(use --base-url or --environment production)"),
        Row(
            "fetch", "--rate", "0",
            says: "--rate takes a whole number from 1 to 10000, not '0' (see gallery fetch --help)"),
        Row(
            "fetch", "--shared", "http://a",
            says: "--shared: invalid server URL: expected redis://HOST:PORT or, with more parts, "
                + "rediss://USER@HOST:PORT/DATABASE (see gallery fetch --help)"),
        Row(
            "fetch", "--shared", "redis://:x@a",
            says: "--shared: invalid server URL: expected a URL without a password "
                + "(set GALLERY_SHARED_PASSWORD to the password)"),
        Row("serve", "--cache", "x", says: "unknown option '--cache' (see gallery serve --help)"),
        Row("search", says: "QUERY is missing (gallery search QUERY)"),
        Row("show", says: "ID is missing (gallery show ID, as gallery search prints it)"),
        Row("show", "a", "b", says: "unexpected argument 'b' (see gallery show --help)"),
        Row("upload", says: "FILE is missing (gallery upload FILE...)"),
        Row("upload", "", says: "the path of a file is empty (gallery upload FILE...)"),
        Row("upload", "a.png", "--size", "raw", says: "unknown option '--size' (see gallery upload --help)"),
        Row(
            "upload", "a.png", "--environment", "production",
            says: "upload requires the environment development, not production: the Unsplash API has no uploads "
                + "(use --environment development, with --base-url for another server)"),
        Row(
            "upload", "a.png", "--environment=staging", "--base-url=http://h.test",
            says: "upload requires the environment development, not staging: the Unsplash API has no uploads "
                + "(use --environment development, with --base-url for another server)"),
        Row("uplaod", "a.png", says: "unknown command 'uplaod' (did you mean gallery upload?)"),
        Row("serve", "a", says: "unexpected argument 'a' (see gallery serve --help)"),
        Row(
            "serve", "--port", "70000",
            says: "--port takes a whole number from 0 to 65535, not '70000' (see gallery serve --help)"),
        Row("completions", says: "SHELL is missing (bash, zsh or fish)"),
        Row(
            "completions", "csh",
            says: "completions takes bash, zsh or fish, not 'csh' (see gallery completions --help)"),
        Row("show", "a", "--size", "raw", says: "unknown option '--size' (see gallery show --help)"),
        Row("serch", "x", says: "unknown command 'serch' (did you mean gallery search?)"),
        Row("--port=1", "serve", says: "--port must follow the command (gallery serve --port …)"),
    ])
    func `each command accepts its described arguments`(row: Row) {
        do {
            _ = try Command.parse(row.line)
            #expect(row.says == nil)
        } catch {
            #expect(error.description == row.says)
        }
    }

    @Test(arguments: CommandName.allCases) func `each command has a help text`(name: CommandName) throws {
        #expect(try Command.parse([name.rawValue, "--help"]) == .help(.command(name)))
        #expect(try Command.parse(["help", name.rawValue]) == .help(.command(name)))
        let text = HelpTopic.command(name).text
        #expect(text.hasPrefix("gallery \(name.rawValue): ") && text.contains("\nUsage: gallery \(name.rawValue)"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(HelpTopic.overview.text.contains("\n  \(name.rawValue) "))
        #expect(ManualPage.text.contains(".SH \(name.rawValue.uppercased())\n"))
    }

    private func run(_ line: [String], output: RecordedStream = RecordedStream()) async -> (
        gallery.ExitStatus, [String], [String]
    ) {
        let error = RecordedStream()
        let status = await Program.run(line, environment: [:], on: .recording(output, error))
        return (status, output.lines, error.lines)
    }

    @Test func `a search prints a table of its results`() async {
        let (status, lines, complaints) = await run(["search", "lake", "--per-page", "3"])
        #expect(status == .success && complaints.isEmpty && !lines.isEmpty)
        #expect(lines.allSatisfy { $0.contains("x") && $0.count > 40 })
        let terminal = RecordedStream(isTerminal: true, columns: 50)
        let (_, narrow, _) = await run(["search", "lake"], output: terminal)
        #expect(narrow.allSatisfy { $0.columns < 50 })
        let (_, none, _) = await run(["search", "qqqqqq"])
        #expect(none == ["No pictures match 'qqqqqq'."])
    }

    @Test func `show prints the details of a picture from a search`() async throws {
        let (_, rows, _) = await run(["search", "lake", "--json", "--quiet"])
        let first = try #require(rows.first)
        let row = try #require(try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: Any])
        #expect(Set(row.keys) == ["address", "height", "id", "photographer", "title", "width"])
        let id = try #require(row["id"] as? String)
        let (status, lines, _) = await run(["show", id])
        #expect(status == .success)
        for name in ["Identifier", "Size", "Photographer", "Page", "Licence"] {
            #expect(lines.contains { $0.hasPrefix(name + " ") }, "\(name)")
        }
        let (_, json, _) = await run(["show", id, "--json"])
        #expect(json.count == 1 && json.first?.contains("\"id\":\"\(id)\"") == true)
        let (missing, _, complaints) = await run(["show", "nobody"])
        #expect(missing == .failure && complaints.count == 1)
    }

    @Test func `text of a hostile server is escaped`() async throws {
        let photo = try HostilePhoto.json(id: "a\u{1B}[2J", title: "k3y-that-must-stay \u{202E}\u{1B}]0;x\u{7}")
        let server = try LoopbackServer { request in
            request.path == "/search/photos"
                ? .json(#"{"total":1,"total_pages":1,"results":[\#(photo)]}"#) : .json(photo)
        }
        let target = ["--base-url", server.url.absoluteString, "--access-key", "k3y-that-must-stay"]
        for line in [["search", "x"], ["search", "x", "--json"], ["show", "x"], ["show", "x", "--json"]] {
            let (status, lines, _) = await run(line + target)
            let text = lines.joined()
            #expect(status == .success && !text.contains("\u{1B}") && !text.contains("\u{202E}"))
            #expect(!text.contains("k3y-that-must-stay"))
        }
        await server.stop()
    }

    @Test func `a server with a required key rejects requests without it`() async throws {
        let output = RecordedStream()
        let serving = Task { await run(["serve", "--port=0", "--require-key=k3y-of-mine"], output: output).0 }
        try await Soak.wait { !output.lines.isEmpty }
        let search = ["search", "lake", "--base-url", try #require(output.lines.first)]
        let (refused, _, complaints) = await run(search)
        #expect(refused == .failure && complaints.first?.contains("401") == true)
        #expect(await run(search + ["--access-key=k3y-of-mine"]).0 == .success)
        serving.cancel()
        #expect(await serving.value == .success && !output.text.contains("k3y-of-mine"))
    }

    @Test func `the catalogue is served until Ctrl-C`() async throws {
        let output = RecordedStream()
        let serving = Task { await run(["serve", "--port", "0"], output: output).0 }
        try await Soak.wait { !output.lines.isEmpty }
        let url = try #require(output.lines.first)
        let (status, lines, _) = await run(["search", "lake", "--base-url", url])
        #expect(status == .success && !lines.isEmpty)
        serving.cancel()
        #expect(await serving.value == .success)
        let (after, _, _) = await run(["search", "lake", "--base-url", url])
        #expect(after == .failure)
    }
}
