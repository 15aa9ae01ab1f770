import Errand
import ErrandLoopback
import Testing
import gallery

/// Tests runs with many failed pictures, and a second run after an interrupted one.
@Suite(.timeLimit(.minutes(1))) struct ManyFailuresTests {
    private let scene: FetchScene

    init() throws {
        scene = try FetchScene()
    }

    /// A gallery of 1,000 pictures on 34 pages. Twelve of them fail in three ways.
    private static let large = GalleryDouble(special: { request in
        if request.path == "/photos" {
            let page = request.queryItems.last { $0.name == "page" }?.value.flatMap { Int($0) } ?? 1
            let ids = (30 * page - 29...min(30 * page, 1_000)).map { "n\($0)" }
            let reply = GalleryDouble(ids: ids).reply(to: request)
            return page < 34 ? reply.header("Link", "</photos?page=\(page + 1)>; rel=\"next\"") : reply
        }
        guard request.path.hasPrefix("/picture/n"), let number = Int(request.path.dropFirst(10)) else { return nil }
        switch number {
        case 100...106: return .status(500)
        case 200...203: return .status(410)
        case 999: return .text("nothing")
        default: return nil
        }
    })

    @Test func `many failures are summarized in a few lines`() async throws {
        try await LoopbackServer.withServer(Self.large.reply) { server in
            #expect(await scene.fetch("--pages=34", "--per-page=30", from: server) == .failure)
        }
        #expect(scene.printed.count == 989)
        #expect(scene.printed.last?.hasPrefix("988 fetched, 0 already there, 12 failed: 66 kB in ") == true)
        // On a busy machine, a download may not be reported to the server in time, which is a warning.
        let lines = scene.complaints.filter { !$0.hasPrefix("gallery: warning: ") }
        try #require(lines.count == 9, "\(lines)")
        #expect(lines.prefix(5).allSatisfy { $0.hasPrefix("gallery: Lake n") })
        #expect(lines[5] == "gallery: 12 failed, run the same command to retry them:")
        let first = lines[6].lowercased()
        #expect(first.hasPrefix("gallery:   7 x the server responded with status 500 internal server error: lake n10"))
        #expect(first.hasSuffix(", …") && lines[6].components(separatedBy: "(n10").count == 4)
        #expect(lines[7].hasPrefix("gallery:   4 x the server responded with status 410 ") && lines[7].hasSuffix(", …"))
        #expect(lines[8] == "gallery:   1 x the response is not a supported picture: Lake n999 (n999)")
    }

    @Test func `only the most frequent reasons are listed`() async throws {
        let ids = (400..<420).map { "n\($0)" }
        let gallery = GalleryDouble(
            ids: ids,
            special: { request in
                request.path.hasPrefix("/picture/n") ? .status(Int(request.path.dropFirst(10)) ?? 500) : nil
            })
        try await LoopbackServer.withServer(gallery.reply) { server in
            #expect(await scene.fetch("--quiet", from: server) == .failure)
        }
        #expect(scene.complaints.count == 12)
        #expect(scene.complaints.last == "gallery:   15 for other reasons")
    }

    @Test func `disk failures are grouped without the path`() async throws {
        let ids = (1...7).map { "n\($0)" }
        for id in ids {
            let folder = scene.folder.url.appending(path: "out/lake-\(id).\(id).regular.png")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try await LoopbackServer.withServer(GalleryDouble(ids: ids).reply) { server in
            #expect(await scene.fetch("--quiet", from: server) == .failure)
        }
        let reason = "can't write the picture: a folder with this name exists"
        #expect(scene.complaints.count == 7)
        #expect(scene.complaints.first?.contains("can't write out/lake-n") == true)
        #expect(scene.complaints.last?.hasPrefix("gallery:   7 x \(reason): Lake n") == true)
    }

    @Test func `lost connections are grouped without the byte counts`() async throws {
        let gallery = GalleryDouble(
            ids: (1...7).map { "n\($0)" },
            special: { request in
                guard let number = Int(request.path.dropFirst("/picture/n".count)) else { return nil }
                return .data(GalleryDouble.png, type: "image/png").truncatingBody(after: number, then: .close)
            })
        try await LoopbackServer.withServer(gallery.reply) { server in
            #expect(await scene.fetch("--quiet", from: server) == .failure)
        }
        #expect(scene.complaints.count == 7)
        #expect(scene.complaints.last?.hasPrefix("gallery:   7 x the connection was lost: Lake n") == true)
    }

    @Test func `the same command fetches the missing pictures after an interrupt`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let stuck = GalleryDouble(special: { request in
            guard request.path == "/picture/p3" else { return nil }
            arrival.yield()
            return .stall
        })
        try await LoopbackServer.withServer(stuck.reply) { server in
            let run = Task { await scene.fetch("--concurrency=1", from: server) }
            for await _ in arrivals.prefix(1) {}
            run.cancel()
            #expect(await run.value == .interrupted)
        }
        let complaint = "gallery: interrupted, 2 of 3 are complete. Run the same command to continue"
        #expect(scene.complaints == [complaint])
        #expect(scene.pictures == ["lake-p1.p1.regular.png", "lake-p2.p2.regular.png"])
        var configuration = LoopbackServer.Configuration()
        configuration.recordedRequests = 100
        try await LoopbackServer.withServer(configuration: configuration, GalleryDouble().reply) { server in
            #expect(await scene.fetch(from: server) == .success)
            #expect(
                server.requests.filter { $0.path.hasPrefix("/picture/") && $0.method == "GET" }.map(\.path) == [
                    "/picture/p3"
                ])
        }
        #expect(scene.printed.last?.hasPrefix("1 fetched, 2 already there, 0 failed: 67 bytes in ") == true)
    }
}
