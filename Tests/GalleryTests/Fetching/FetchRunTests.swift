import Errand
import ErrandLoopback
import GalleryCore
import Testing
import gallery

@Suite(.timeLimit(.minutes(1))) struct FetchRunTests {
    private let scene: FetchScene

    init() throws {
        scene = try FetchScene()
    }

    private func serve(
        _ gallery: GalleryDouble = GalleryDouble(), _ body: (LoopbackServer) async throws -> Void
    ) async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.recordedRequests = 100
        try await LoopbackServer.withServer(configuration: configuration, gallery.reply, body)
    }

    @Test func `each picture is a line, and a summary is the last line`() async throws {
        try await serve { server in #expect(await scene.fetch("--concurrency", "1", from: server) == .success) }
        #expect(
            scene.printed.dropLast() == [
                "Lake p1, by Ada L: out/lake-p1.p1.regular.png", "Lake p2, by Ada L: out/lake-p2.p2.regular.png",
                "Lake p3, by Ada L: out/lake-p3.p3.regular.png",
            ])
        #expect(scene.printed.last?.hasPrefix("3 fetched, 0 already there, 0 failed: 201 bytes in ") == true)
        #expect(scene.error.text.isEmpty)
        #expect(scene.pictures == ["lake-p1.p1.regular.png", "lake-p2.p2.regular.png", "lake-p3.p3.regular.png"])
    }

    @Test func `a second run finds all files and reports no download`() async throws {
        let second = RecordedStream()
        try await serve { server in
            #expect(await scene.fetch(from: server) == .success)
            let line = ["fetch", "lake", "--base-url=\(server.url)", "--output=\(scene.folder.path)/out/"]
            #expect(await Program.run(line, environment: [:], on: .recording(second)) == .success)
            let requests = server.requests.filter { $0.path.hasPrefix("/picture/") }
            #expect(requests.map(\.method) == ["GET", "GET", "GET", "HEAD", "HEAD", "HEAD"])
            #expect(server.requests.filter { $0.path.hasSuffix("/download") }.count == 3)
            let search = try #require(server.requests.first { $0.path == "/search/photos" })
            #expect(Set(search.query?.split(separator: "&") ?? []) == ["query=lake", "page=1", "per_page=10"])
        }
        #expect(second.lines.dropLast().allSatisfy { $0.hasSuffix(".regular.png (already there)") })
        #expect(second.lines.last?.hasPrefix("0 fetched, 3 already there, 0 failed") == true)
    }

    @Test func `json prints only objects, one per line`() async throws {
        struct Record: Decodable, Equatable {
            let id, title, photographer, status: String
            let file, error: String?
            let bytes: Int
        }
        let gallery = GalleryDouble(special: { $0.path == "/picture/p2" ? .status(500) : nil })
        try await serve(gallery) { server in
            #expect(await scene.fetch("--json", "--concurrency=1", from: server) == .failure)
        }
        let records = try scene.printed.map { try JSONDecoder().decode(Record.self, from: Data($0.utf8)) }
        try #require(records.map(\.status) == ["fetched", "failed", "fetched"])
        #expect(
            records.first
                == Record(
                    id: "p1", title: "Lake p1", photographer: "Ada L", status: "fetched",
                    file: "out/lake-p1.p1.regular.png", error: nil, bytes: 67))
        // Programs depend on this format, which is described in the help.
        let line = #"{"bytes":67,"file":"out/lake-p1.p1.regular.png","id":"p1","photographer":"Ada L","#
        #expect(scene.printed.first == line + #""status":"fetched","title":"Lake p1"}"#)
        #expect(records[1].file == nil && records[1].error?.hasPrefix("the server responded with status 500 ") == true)
        #expect(scene.printed[1].contains(#""file":null"#))
    }

    @Test func `explain prints each request without the key on standard error`() async throws {
        try await serve(GalleryDouble()) { server in
            #expect(await scene.fetch("--explain", "--access-key", "s3cr3tkey", from: server) == .success)
            let trails = scene.complaints.filter { $0.hasPrefix("GET ") }
            #expect(trails.count == server.requests.count && trails.count > 3)
        }
        let outcomes = scene.complaints.filter { $0.hasPrefix("  ") }
        #expect(outcomes.allSatisfy { $0.contains(" ms  loader  ") && $0.contains("200 OK in ") })
        #expect(!scene.error.text.contains("s3cr3tkey") && scene.pictures.count == 3)
    }

    @Test func `verbose prints status and time of each request without the key`() async throws {
        let gallery = GalleryDouble(special: { $0.path == "/picture/p2" ? .status(404) : nil })
        try await serve(gallery) { server in
            #expect(await scene.fetch("--verbose", "--access-key", "s3cr3tkey", "lake", from: server) == .failure)
            let lines = scene.complaints.filter { $0.hasPrefix("GET ") }
            #expect(lines.count == server.requests.count && lines.count > 3)
            #expect(lines.allSatisfy { $0.contains(" in ") && $0.hasSuffix(" ms") })
            #expect(lines.filter { $0.lowercased().contains("/picture/p2: 404 not found in ") }.count == 1)
            #expect(lines.first?.hasPrefix("GET \(server.url)/search/photos?") == true)
        }
        #expect(!scene.error.text.contains("s3cr3tkey") && scene.pictures.count == 2)
    }

    @Test func `curl prints the API request and sends nothing`() async throws {
        try await serve(GalleryDouble()) { server in
            #expect(await scene.fetch("--curl", "--access-key", "s3cr3tkey", "lake", from: server) == .success)
            #expect(server.requests.isEmpty)
            let command = try #require(scene.printed.first)
            #expect(command.hasPrefix("curl ") && command.contains("\(server.url.absoluteString)"))
            #expect(command.contains("query=lake") && scene.printed.count == 1)
        }
        #expect(!scene.output.text.contains("s3cr3tkey") && scene.pictures.isEmpty)
    }

    @Test func `quiet prints only errors`() async throws {
        let gallery = GalleryDouble(special: { $0.path == "/picture/p2" ? .status(404) : nil })
        try await serve(gallery) { server in #expect(await scene.fetch("--quiet", from: server) == .failure) }
        #expect(scene.output.text.isEmpty)
        #expect(scene.complaints.count == 1)
        #expect(
            scene.complaints.first?.hasPrefix("gallery: Lake p2 (p2): the server responded with status 404 ") == true)
        #expect(scene.pictures.count == 2)
    }

    @Test(arguments: [
        (["moon"], ["No pictures match 'moon'."]), ([], ["No pictures."]), (["--page=9"], ["No pictures on page 9."]),
        (["--json"], []), (["--quiet"], []),
    ])
    func `an empty list is a line and a success`(arguments: [String], printed: [String]) async throws {
        try await serve(GalleryDouble(ids: [])) { server in
            let line = ["fetch", "--base-url=\(server.url)", "--output=\(scene.folder.path)/out"] + arguments
            #expect(await Program.run(line, environment: [:], on: .recording(scene.output)) == .success)
        }
        #expect(scene.printed == printed && scene.folder.names().isEmpty)
    }

    @Test func `a failed page does not affect the earlier pages`() async throws {
        let gallery = GalleryDouble(special: { request in
            guard request.path == "/photos" else { return nil }
            if request.queryItems.contains(where: { $0.name == "page" && $0.value == "2" }) {
                return .json(#"{"errors":["Too far"]}"#, status: 500)
            }
            return GalleryDouble().reply(to: request).header("Link", #"</photos?page=2>; rel="next""#)
        })
        try await serve(gallery) { server in #expect(await scene.fetch("--pages=3", from: server) == .failure) }
        #expect(scene.pictures.count == 3)
        #expect(scene.complaints.map { $0.hasSuffix(": Too far") } == [true])
    }

    @Test(arguments: [
        ([], ["p1", "p2"], ""), (["lake"], ["p1"], "results"), ([], [], ""), (["--concurrency=1"], ["p1"], ""),
    ])
    func `invalid photos are failures, and the others are fetched`(
        arguments: [String], ids: [String], path: String
    ) async throws {
        for form in [[], ["--json"]] {
            let (output, error) = (RecordedStream(), RecordedStream())
            try await serve(GalleryDouble(ids: ids, oddities: ["{}", "null"])) { server in
                let locations = ["--base-url=\(server.url)", "--output=\(scene.folder.path)/out"]
                let line = ["fetch"] + arguments + locations + form
                #expect(await Program.run(line, environment: [:], on: .recording(output, error)) == .failure)
            }
            #expect(error.lines.filter { !$0.contains(" fetched, ") }.count == 2)
            #expect(
                error.lines.first == "gallery: can't decode a photo in the API's response: \(path)[0].id is missing")
            let lines = (form.isEmpty ? output : error).lines
            #expect(lines.last?.contains(" already there, 2 failed") == true)
            let objects = output.lines.filter { $0.contains(#""status":"failed""#) }
            #expect(objects.count == (form.isEmpty ? 0 : 2))
            #expect(
                objects.allSatisfy { $0.contains(#""error":"can't decode the photo: "#) && $0.contains("\(path)[") })
        }
        #expect(scene.pictures.count == ids.count)
    }

    @Test func `a repeated photo is one, and similar identifiers are two`() async throws {
        var again = GalleryDouble(ids: ["p1"])
        again.title = "Sea"
        let gallery = GalleryDouble(special: { [again] request in
            guard request.path == "/photos" else { return nil }
            let isSecond = request.query == "page=2"
            let list = isSecond ? again : GalleryDouble(ids: ["p1", #"\u00e9"#, #"e\u0301"#])
            let reply = list.reply(to: request)
            return isSecond ? reply : reply.header("Link", #"</photos?page=2>; rel="next""#)
        })
        try await serve(gallery) { server in
            #expect(await scene.fetch("--pages=2", "--concurrency=1", from: server) == .success)
            #expect(server.requests.filter { $0.path.hasSuffix("/download") }.count == 3)
        }
        #expect(scene.pictures.count == 3)
        #expect(scene.printed.first == "Lake p1, by Ada L: out/lake-p1.p1.regular.png")
        #expect(scene.printed.last?.hasPrefix("3 fetched, 0 already there, 0 failed") == true)
    }

    @Test func `more than six concurrent downloads are allowed`() async throws {
        let gallery = GalleryDouble(ids: (1...20).map { "n\($0)" })
        try await serve(gallery) { server in #expect(await scene.fetch("--concurrency=20", from: server) == .success) }
        #expect(scene.pictures.count == 20)
    }

    @Test func `a cancellation ends with status 130 and leaves no picture`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let gallery = GalleryDouble(special: { request in
            guard request.path.hasPrefix("/picture/") else { return nil }
            arrival.yield()
            return .stall
        })
        try await serve(gallery) { server in
            let run = Task { await scene.fetch(from: server) }
            for await _ in arrivals.prefix(3) {}
            run.cancel()
            #expect(await run.value == .interrupted)
        }
        #expect(scene.pictures.isEmpty)
        #expect(scene.complaints == ["gallery: interrupted, no picture is complete. Run the same command to continue"])
    }

    @Test func `a closed output ends the run without an error message`() async throws {
        let scene = try FetchScene(output: RecordedStream(linesBeforeClosing: 1))
        try await serve { server in #expect(await scene.fetch(from: server) == .outputClosed) }
        #expect(scene.printed.count == 1 && scene.error.text.isEmpty)
    }
}
