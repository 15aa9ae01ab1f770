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

    private static let limitHint: String = "(the hourly limit is reached, try again later)"

    @Test(arguments: [
        Row(
            reply: .json(#"{"errors":["OAuth error: The access token is invalid"]}"#, status: 401),
            complaint: "the API responded with status 401 Unauthorized: OAuth error: The access token is invalid "
                + "(check the access key)"),
        Row(
            reply: .text("Rate Limit Exceeded", status: 403).header("X-Ratelimit-Remaining", "0"),
            complaint: "the API responded with status 403 Forbidden: Rate Limit Exceeded \(limitHint)"),
        Row(reply: .status(403), complaint: "the API responded with status 403 Forbidden"),
        Row(reply: .status(404), complaint: "the API responded with status 404 Not Found (check the URL)"),
        Row(reply: .status(429), complaint: "the API responded with status 429 Too Many Requests \(limitHint)"),
        Row(
            reply: .json(#"{"errors":["Down\u001b[2J","for now"]}"#, status: 500),
            complaint: "the API responded with status 500 Internal Server Error: Down\\u{1B}[2J; for now"),
        Row(
            reply: .data(Data("<html>".utf8), type: "text/html; charset=utf-8"),
            complaint: "expected JSON from 127.0.0.1, received text/html (check the base URL)"),
        Row(reply: .json("{}"), complaint: "can't decode the API's response: results is missing (object at byte 0)"),
        Row(
            reply: .json("7"), complaint: "can't decode the API's response: expected an array, found a number (byte 0)"),
        Row(reply: .json("["), complaint: "can't decode the API's response: the body is not valid JSON (byte 1)"),
    ])
    func `an API error is one line with a hint`(row: Row) async throws {
        try await LoopbackServer.withServer(GalleryDouble(special: { _ in row.reply }).reply) { server in
            #expect(await scene.fetch(from: server) == .failure)
        }
        // The reason phrases differ in case between platforms.
        #expect(scene.complaints.map { $0.lowercased() } == ["gallery: \(row.complaint)".lowercased()])
        #expect(scene.output.text.isEmpty && scene.folder.names().isEmpty)
    }

    @Test(arguments: [
        Row(reply: .data(Data(), type: "image/png"), complaint: "the server sent an empty picture"),
        Row(
            reply: .data(Data("<html>".utf8), type: "text/html"),
            complaint: "expected a PNG, JPEG, WebP, GIF or AVIF picture, received data of type text/html"),
        Row(reply: .status(503), complaint: "the server responded with status 503 Service Unavailable"),
    ])
    func `a failed picture is printed, and the others are fetched`(row: Row) async throws {
        let gallery = GalleryDouble(special: { $0.path == "/picture/p2" ? row.reply : nil })
        try await LoopbackServer.withServer(gallery.reply) { server in
            #expect(await scene.fetch(from: server) == .failure)
        }
        #expect(scene.complaints.map { $0.lowercased() } == ["gallery: lake p2 (p2): \(row.complaint)".lowercased()])
        #expect(scene.printed.last?.hasPrefix("2 fetched, 0 already there, 1 failed") == true)
        #expect(scene.pictures == ["lake-p1.p1.regular.png", "lake-p3.p3.regular.png"])
    }

    @Test(arguments: [LoopbackReply.Ending.close, .reset])
    func `a truncated body is a failure of its picture`(ending: LoopbackReply.Ending) async throws {
        let gallery = GalleryDouble(special: { request in
            guard request.path == "/picture/p2" else { return nil }
            return .data(GalleryDouble.png, type: "image/png").truncatingBody(after: 9, then: ending)
        })
        try await LoopbackServer.withServer(gallery.reply) { server in
            #expect(await scene.fetch(from: server) == .failure)
        }
        #expect(scene.complaints.count == 1 && scene.pictures.count == 2)
    }

    @Test func `a folder that is not writable is one line`() async throws {
        try Data().write(to: scene.folder.url.appending(path: "file"))
        try await LoopbackServer.withServer(GalleryDouble().reply) { server in
            let line = ["fetch", "--base-url=\(server.url)", "--output=\(scene.folder.path)/file/pictures"]
            let console = Console.recording(scene.output, scene.error)
            #expect(await Program.run(line, environment: [:], on: console) == .failure)
        }
        let complaint = "gallery: can't write to the folder file/pictures: a part of the path is not a folder"
        #expect(scene.complaints == [complaint] && scene.output.text.isEmpty)
    }

    @Test func `a refused connection is one line`() async throws {
        // Port 1 is not in use. The port of a stopped server may already be in use by another test.
        let line = ["fetch", "--base-url=http://127.0.0.1:1", "--output=\(scene.folder.path)/out"]
        #expect(await Program.run(line, environment: [:], on: .recording(scene.output, scene.error)) == .failure)
        #expect(scene.complaints.count == 1)
        #expect(scene.complaints.first?.hasPrefix("gallery: can't connect to 127.0.0.1: ") == true)
    }

    @Test(arguments: [["fetch", "--per-page", "0"], ["fetch", "--environment=nowhere"], ["fetch", "--what"], []])
    func `invalid usage is one line and status 64`(line: [String]) async {
        #expect(await Program.run(line, environment: [:], on: .recording(scene.output, scene.error)) == .usage)
        #expect(scene.output.text.isEmpty && scene.error.lines.count == 1 && scene.error.text.hasPrefix("gallery: "))
    }

    @Test(arguments: [(["fetch", "-h"], HelpTopic.fetch.text), (["fetch", "--version"], "gallery 0.1.0\n")])
    func `help and version are printed`(line: [String], text: String) async {
        #expect(await Program.run(line, environment: [:], on: .recording(scene.output, scene.error)) == .success)
        #expect(scene.output.text == text && scene.error.text.isEmpty)
    }
}
