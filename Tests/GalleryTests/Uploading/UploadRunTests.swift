import Errand
import ErrandLoopback
import ErrandSupport
import Foundation
import GalleryCore
import TestSupport
import Testing
import gallery

@Suite(.timeLimit(.minutes(1))) struct UploadRunTests {
    private let folder: ScratchFolder
    private let output = RecordedStream()
    private let error = RecordedStream()

    init() throws { folder = try ScratchFolder() }

    /// The lines of a stream without the path of the test folder.
    private func lines(_ stream: RecordedStream) -> [String] {
        stream.lines.map { $0.replacing(folder.url.path + "/", with: "") }
    }

    private func pictures(_ names: String...) throws -> [String] {
        try names.map { try folder.file(GalleryDouble.png, name: $0).path }
    }

    private func upload(_ line: [String], output: RecordedStream? = nil, error: RecordedStream? = nil) async
        -> gallery.ExitStatus
    {
        let console = Console.recording(output ?? self.output, error ?? self.error)
        return await Program.run(["upload"] + line, environment: [:], on: console)
    }

    private func photos(_ server: DevelopmentServer) async throws -> [GalleryModel] {
        try await APILoader(GalleryAPI(environment: server.environment)).load(GalleryQuery(perPage: 5))
    }

    @Test func `each file is one line with the URL of its page`() async throws {
        try await DevelopmentServer.withServer { server in
            let line = try pictures("a.png", "b c.png") + ["--description=Misty lake", "--base-url", "\(server.url)"]
            #expect(await upload(line) == .success)
            let photos = try await photos(server).prefix(2)
            #expect(photos.map(\.title) == ["Misty lake", "Misty lake"])
            let pages = photos.reversed().map(\.links.html.absoluteString)
            #expect(lines(output).dropLast() == ["a.png, 67 bytes: \(pages[0])", "b c.png, 67 bytes: \(pages[1])"])
            #expect(lines(output).last?.hasPrefix("2 uploaded, 0 failed: 134 bytes in ") == true)
        }
        #expect(error.lines.isEmpty)
    }

    @Test func `fetch downloads the uploaded picture`() async throws {
        try await DevelopmentServer.withServer { server in
            let target = ["--base-url", "\(server.url)"]
            #expect(await upload(try pictures("Misty lake.png") + target + ["--quiet"]) == .success)
            #expect(output.text.isEmpty && error.text.isEmpty)
            let out = folder.url.appending(path: "out")
            let fetch = ["fetch", "misty lake", "--per-page=1", "--json", "-q", "-o", out.path] + target
            #expect(await Program.run(fetch, environment: [:], on: .recording(output, error)) == .success)
            let names = try FileManager.default.contentsOfDirectory(atPath: out.path)
            #expect(names.count == 1 && names.first?.hasPrefix("misty-lake.") == true)
            #expect(try Data(contentsOf: out.appending(path: try #require(names.first))) == GalleryDouble.png)
        }
    }

    @Test func `the server of the command is used without a base URL`() async throws {
        #expect(await upload(try pictures("a.png")) == .success)
        let lines = lines(output)
        #expect(lines.count == 2 && lines.first?.hasPrefix("a.png, 67 bytes: uploaded as ") == true)
        #expect(
            error.lines == [
                "gallery: the server of this command has ended, and its pictures are removed "
                    + #"(to keep pictures, run "gallery serve" and add --base-url http://127.0.0.1:8080)"#
            ])
    }

    @Test func `a picture that is not served has no URL`() async throws {
        #expect(await upload(try pictures("a.png") + ["--json", "--quiet"]) == .success)
        #expect(output.lines.count == 1 && error.lines.isEmpty)
        #expect(lines(output).first?.hasPrefix(#"{"address":null,"bytes":67,"file":"a.png","id":""#) == true)
        #expect(lines(output).first?.hasSuffix(#"","status":"uploaded"}"#) == true)
    }

    @Test func `an invalid file prevents all uploads`() async throws {
        try await DevelopmentServer.withServer { server in
            let text = try folder.file(Data("text".utf8), name: "b.png").path
            let missing = folder.url.path + "/c.png"
            let line = try pictures("a.png") + [text, missing, "--base-url", "\(server.url)"]
            #expect(await upload(line) == .failure)
            #expect(try await photos(server).allSatisfy { $0.user.username != "guest" })
        }
        #expect(output.text.isEmpty)
        #expect(
            lines(error) == [
                "gallery: b.png: expected a PNG, JPEG, WebP, GIF or AVIF picture, found another file",
                "gallery: c.png: the body's file can't be read: no such file or folder",
                "gallery: nothing was uploaded",
            ])
    }

    @Test func `each file is one JSON object`() async throws {
        let refusals = Locked(0)
        try await LoopbackServer.withServer({ _ in
            let isFirst = refusals.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { return .json(#"{"errors":["no \u001b[2J room"]}"#, status: 507) }
            let photo = (try? HostilePhoto.json(id: "k3y-of-mine\u{1B}", title: "x")) ?? ""
            return .json(photo, status: 201)
        }) { server in
            let line =
                try pictures("a.png", "b.png") + [
                    "--json", "--access-key=k3y-of-mine", "--base-url", "\(server.url)",
                ]
            #expect(await upload(line) == .failure)
        }
        let objects = try lines(output).map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        try #require(objects.count == 2)
        #expect(objects.map { $0["status"] as? String } == ["failed", "uploaded"])
        #expect(objects.map { $0["bytes"] as? Int } == [67, 67])
        #expect(objects[0]["id"] is NSNull && objects[0]["address"] is NSNull)
        let reason = #"the API responded with status 507 Insufficient Storage: no \u{1B}[2J room"#
        #expect(objects[0]["error"] as? String == reason)
        #expect(objects[1]["address"] as? String == "https://x.example/h" && objects[1]["error"] == nil)
        for text in [output.text, error.text] {
            #expect(!text.contains("\u{1B}") && !text.contains("k3y-of-mine"))
        }
        #expect(lines(error).first == "gallery: a.png: \(reason)")
        #expect(lines(error).last?.hasPrefix("1 uploaded, 1 failed: 67 bytes in ") == true)
    }

    @Test func `curl prints one command for each file and sends nothing`() async throws {
        #expect(await upload(try pictures("a.png", "b.png") + ["--curl", "--description", "it's"]) == .success)
        #expect(output.lines.count == 2)
        for (line, name) in zip(lines(output), ["a.png", "b.png"]) {
            #expect(line.hasPrefix("curl ") && line.contains("http://127.0.0.1:8080/photos"))
            #expect(line.contains(name) && line.contains("image/png"))
        }
        #expect(error.lines == [#"gallery: run "gallery serve" first: these commands need it"#])
    }

    @Test(arguments: [12, 40, 80])
    func `the progress on a terminal is one line that fits`(columns: Int) async throws {
        let terminal = RecordedStream(isTerminal: true, columns: columns)
        let results = RecordedStream(isTerminal: true, columns: columns)
        #expect(await upload(try pictures("a.png", "b.png"), output: results, error: terminal) == .success)
        let frames = terminal.text.components(separatedBy: "\u{1B}[K").filter { $0.hasPrefix("\r") && $0 != "\r" }
        #expect(frames.contains { $0.contains("0 %") } && frames.count >= 2)
        #expect(frames.allSatisfy { String($0.dropFirst().prefix { $0 != "\n" }).columns < columns })
        #expect(results.lines.first?.hasPrefix("\r\u{1B}[K") == true)
    }

    @Test func `a cancelled upload is interrupted`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        try await LoopbackServer.withServer({ _ in
            arrival.yield()
            return .stall
        }) { server in
            let line = try pictures("a.png", "b.png") + ["--base-url", "\(server.url)"]
            let run = Task { await upload(line) }
            for await _ in arrivals.prefix(1) {}
            run.cancel()
            #expect(await run.value == .interrupted)
        }
        #expect(error.lines == ["gallery: interrupted, 0 of 2 uploaded"] && output.text.isEmpty)
    }

    @Test func `a closed output ends the run before the next upload`() async throws {
        try await DevelopmentServer.withServer { server in
            let closed = RecordedStream(linesBeforeClosing: 0)
            let line = try pictures("a.png", "b.png") + ["--base-url", "\(server.url)"]
            #expect(await upload(line, output: closed) == .outputClosed)
            #expect(try await photos(server).filter { $0.user.username == "guest" }.count == 1)
        }
        #expect(error.lines.isEmpty)
    }

    @Test func `a closed output ends the commands of curl`() async throws {
        let closed = RecordedStream(linesBeforeClosing: 1)
        #expect(await upload(try pictures("a.png", "b.png", "c.png") + ["--curl"], output: closed) == .outputClosed)
        #expect(closed.lines.count == 1 && error.lines.isEmpty)
    }

    @Test func `a server that is not running is a failure of each file`() async throws {
        let server = try DevelopmentServer()
        await server.stop()
        #expect(await upload(try pictures("a.png", "b.png") + ["--base-url", "\(server.url)"]) == .failure)
        #expect(lines(error).count == 2)
        #expect(lines(error).first?.hasPrefix("gallery: a.png: can't connect to 127.0.0.1") == true)
        #expect(lines(output).last?.hasPrefix("0 uploaded, 2 failed: 0 bytes in ") == true)
    }
}
