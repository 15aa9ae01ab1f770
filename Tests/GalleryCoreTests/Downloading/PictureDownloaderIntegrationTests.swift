import Errand
import ErrandLoopback
import GalleryCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PictureDownloaderIntegrationTests {
    private static let replies: [String: LoopbackReply] = [
        "complete": .data(SamplePicture.png, type: "image/png"),
        "chunked": .chunks([SamplePicture.jpeg.prefix(9), SamplePicture.jpeg.dropFirst(9)], type: "image/jpeg"),
        "moved": .status(302).header("Location", "/complete"),
        "cut": .data(SamplePicture.png, type: "image/png").truncatingBody(after: 40),
        "reset": .data(SamplePicture.png, type: "image/png").truncatingBody(after: 40, then: .reset),
        "cut-chunk": .chunks([SamplePicture.png], type: "image/png").truncatingBody(after: 40),
        "empty": .data(Data(), type: "image/png"),
        "html": .data(Data("<!doctype html>".utf8), type: "text/html"),
        "gone": .status(410),
        "silent": .closeWithoutReply,
    ]

    @Test func `only complete pictures are stored from real connections`() async throws {
        let folder = try TemporaryFolder()
        var log = EventLog()
        try await LoopbackServer.withServer { request in
            Self.replies[String(request.path.dropFirst())] ?? .status(404)
        } _: { server in
            let pictures = Self.replies.keys.sorted().map {
                Picture(id: $0, words: "w", variant: "raw", url: server.url.appending(path: $0))
            }
            try await PictureDownloader(into: folder.url).download(pictures) { log.add($0) }
        }
        #expect(log.errors.count == Self.replies.count - 3, "\(log.ends)")
        #expect(folder.names == ["w.chunked.raw.jpg", "w.complete.raw.png", "w.moved.raw.png"])
    }

    @Test func `an existing picture is fetched again if the server states another size`() async throws {
        let folder = try TemporaryFolder()
        try folder.put(SamplePicture.png, "w.same.raw.png")
        try folder.put(SamplePicture.png.dropLast(), "w.changed.raw.png")
        var configuration = LoopbackServer.Configuration()
        configuration.recordedRequests = 10
        var log = EventLog()
        try await LoopbackServer.withServer(configuration: configuration) { _ in
            .data(SamplePicture.png, type: "image/png")
        } _: { server in
            let pictures = ["same", "changed", "new"].map {
                Picture(id: $0, words: "w", variant: "raw", url: server.url.appending(path: $0))
            }
            var downloader = PictureDownloader(into: folder.url)
            downloader.concurrency = 1
            try await downloader.download(pictures) { log.add($0) }
            let requests = server.requests.map { "\($0.method) \($0.path)" }
            #expect(requests == ["HEAD /same", "HEAD /changed", "GET /changed", "GET /new"])
        }
        #expect(
            log.ends == ["changed", "new"].map { "fetched \($0) w.\($0).raw.png 97" } + [
                "present same w.same.raw.png 97"
            ])
        #expect(try folder.data("w.changed.raw.png") == SamplePicture.png)
    }

    @Test func `a cancellation ends a stalled body immediately`() async throws {
        let folder = try TemporaryFolder()
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        try await LoopbackServer.withServer { _ in
            .stream(type: "image/png", contentLength: SamplePicture.png.count) { writer in
                try await writer.write(SamplePicture.png.prefix(40))
                arrival.yield()
                await waitUntilCancelled()
            }
        } _: { server in
            let picture = Picture(id: "a", variant: "raw", url: server.url)
            let run = Task { try await PictureDownloader(into: folder.url).download([picture]) { _ in } }
            for await _ in arrivals.prefix(1) {}
            run.cancel()
            await #expect(throws: CancellationError.self) { try await run.value }
        }
        #expect(folder.names.isEmpty)
    }
}
