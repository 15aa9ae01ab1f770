import Errand
import ErrandLoopback
import Testing
import gallery

@Suite(.timeLimit(.minutes(1))) struct FetchFailureTests {
    private let scene: FetchScene

    init() throws {
        scene = try FetchScene()
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let reply: LoopbackReply
        let complaint: String
        var testDescription: String { complaint }
    }

    private static let limitHint: String = "(the hourly limit is used up; try again later)"

    @Test(arguments: [
        Row(
            reply: .json(#"{"errors":["OAuth error: The access token is invalid"]}"#, status: 401),
            complaint: "the API answered 401 Unauthorized: OAuth error: The access token is invalid "
                + "(check the access key)"),
        Row(
            reply: .text("Rate Limit Exceeded", status: 403).field("X-Ratelimit-Remaining", "0"),
            complaint: "the API answered 403 Forbidden: Rate Limit Exceeded \(limitHint)"),
        Row(reply: .status(403), complaint: "the API answered 403 Forbidden"),
        Row(reply: .status(404), complaint: "the API answered 404 Not Found (check the address)"),
        Row(reply: .status(429), complaint: "the API answered 429 Too Many Requests \(limitHint)"),
        Row(
            reply: .json(#"{"errors":["Down\u001b[2J","for now"]}"#, status: 500),
            complaint: "the API answered 500 Internal Server Error: Down\\u{1B}[2J; for now"),
        Row(
            reply: .data(Data("<html>".utf8), type: "text/html; charset=utf-8"),
            complaint: "127.0.0.1 answered text/html, not JSON (is this the address of an API?)"),
        Row(reply: .json("{}"), complaint: "the API's answer can't be read: results is missing (object at byte 0)"),
        Row(reply: .json("7"), complaint: "the API's answer can't be read: expected an array, found a number (byte 0)"),
        Row(reply: .json("["), complaint: "the API's answer can't be read: the body is not valid JSON (byte 1)"),
    ])
    func `a refusal of the API is one line that helps`(row: Row) async throws {
        try await LoopbackServer.withServer(GalleryDouble(special: { _ in row.reply }).answer) { server in
            #expect(await scene.fetch(from: server) == .failure)
        }
        // The platforms' reason phrases differ in case.
        #expect(scene.complaints.map { $0.lowercased() } == ["gallery: \(row.complaint)".lowercased()])
        #expect(scene.output.text.isEmpty && scene.folder.names().isEmpty)
    }

    @Test(arguments: [
        Row(reply: .data(Data(), type: "image/png"), complaint: "the server sent an empty picture"),
        Row(
            reply: .data(Data("<html>".utf8), type: "text/html"),
            complaint: "the server sent something of type text/html, not a picture of a known kind"),
        Row(reply: .status(503), complaint: "the server answered 503 Service Unavailable"),
    ])
    func `a picture that fails is said, and the others arrive`(row: Row) async throws {
        let gallery = GalleryDouble(special: { $0.path == "/picture/p2" ? row.reply : nil })
        try await LoopbackServer.withServer(gallery.answer) { server in
            #expect(await scene.fetch(from: server) == .failure)
        }
        #expect(scene.complaints.map { $0.lowercased() } == ["gallery: lake p2 (p2): \(row.complaint)".lowercased()])
        #expect(scene.printed.last?.hasPrefix("2 fetched, 0 already there, 1 failed") == true)
        #expect(scene.pictures == ["lake-p1.p1.regular.png", "lake-p3.p3.regular.png"])
    }

    @Test(arguments: [LoopbackReply.Ending.close, .reset])
    func `a body that is cut short is a failure of its picture`(ending: LoopbackReply.Ending) async throws {
        let gallery = GalleryDouble(special: { request in
            guard request.path == "/picture/p2" else { return nil }
            return .data(GalleryDouble.png, type: "image/png").cuttingBody(after: 9, then: ending)
        })
        try await LoopbackServer.withServer(gallery.answer) { server in
            #expect(await scene.fetch(from: server) == .failure)
        }
        #expect(scene.complaints.count == 1 && scene.pictures.count == 2)
    }

    @Test func `a folder that can't be written to is one line`() async throws {
        try Data().write(to: scene.folder.url.appending(path: "file"))
        try await LoopbackServer.withServer(GalleryDouble().answer) { server in
            let line = ["fetch", "--base-url=\(server.url)", "--output=\(scene.folder.path)/file/pictures"]
            let console = Console.recording(scene.output, scene.error)
            #expect(await Program.run(line, environment: [:], on: console) == .failure)
        }
        let complaint = "gallery: can't write to the folder file/pictures: a part of the path is not a folder"
        #expect(scene.complaints == [complaint] && scene.output.text.isEmpty)
    }

    @Test func `an address where nobody answers is one line`() async throws {
        // Nobody listens on port 1, whereas a stopped server's port may be another test's by now.
        let line = ["fetch", "--base-url=http://127.0.0.1:1", "--output=\(scene.folder.path)/out"]
        #expect(await Program.run(line, environment: [:], on: .recording(scene.output, scene.error)) == .failure)
        #expect(scene.complaints.count == 1)
        #expect(scene.complaints.first?.hasPrefix("gallery: can't connect to 127.0.0.1: ") == true)
    }

    @Test(arguments: [["fetch", "--per-page", "0"], ["fetch", "--environment=nowhere"], ["fetch", "--what"], []])
    func `wrong usage is one line and 64`(line: [String]) async {
        #expect(await Program.run(line, environment: [:], on: .recording(scene.output, scene.error)) == .usage)
        #expect(scene.output.text.isEmpty && scene.error.lines.count == 1 && scene.error.text.hasPrefix("gallery: "))
    }

    @Test(arguments: [(["fetch", "-h"], HelpTopic.fetch.text), (["fetch", "--version"], "gallery 0.1.0\n")])
    func `help and version are printed`(line: [String], text: String) async {
        #expect(await Program.run(line, environment: [:], on: .recording(scene.output, scene.error)) == .success)
        #expect(scene.output.text == text && scene.error.text.isEmpty)
    }
}
