import Errand
import GalleryCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ExistingPictureTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func log(_ session: CountingSession, _ pictures: [Picture], concurrency: Int = 6) async throws -> EventLog {
        try await EventLog(of: session, pictures, into: folder, concurrency: concurrency)
    }

    @Test func `a new picture costs one request, an existing one a HEAD request`() async throws {
        try folder.put(SamplePicture.jpeg, "w.a.raw.jpg")
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        let log = try await log(session, .samples("a", "b"), concurrency: 1)
        #expect(
            log.lines == [
                "started a", "present a w.a.raw.jpg \(SamplePicture.jpeg.count)", "started b",
                "fetched b w.b.raw.png \(SamplePicture.png.count)",
            ])
        #expect(session.recorded.map(\.head.httpMethod) == ["HEAD", "GET"] && session.paths == ["/a", "/b"])
    }

    struct Statement: Sendable, CustomTestStringConvertible {
        let status: Int
        let headers: HeaderFields
        let isFetched: Bool
        var testDescription: String { "\(status) \(headers)" }

        init(_ status: Int, _ headers: HeaderFields, isFetched: Bool = false) {
            (self.status, self.headers, self.isFetched) = (status, headers, isFetched)
        }
    }

    @Test(arguments: [
        Statement(200, ["Content-Length": "97"], isFetched: true), Statement(200, ["Content-Length": "43"]),
        Statement(200, [:]), Statement(200, ["Content-Length": "0"]), Statement(200, ["Content-Length": "many"]),
        Statement(200, ["Content-Length": "97", "Content-Encoding": "gzip"]),
        Statement(404, ["Content-Length": "97"]), Statement(405, ["Content-Length": "97"]),
    ])
    func `an existing picture is fetched again if the server states another size`(statement: Statement) async throws {
        try folder.put(SamplePicture.gif, "w.a.raw.gif")
        let session = CountingSession(head: { _ in (statement.status, statement.headers, Data()) }) { _ in
            (200, [:], SamplePicture.png)
        }
        let end = statement.isFetched ? "fetched a w.a.raw.png 97" : "present a w.a.raw.gif 43"
        #expect(try await log(session, .samples("a")).ends == [end])
        #expect(try folder.data("w.a.raw.gif") == SamplePicture.gif)
    }

    @Test func `an existing picture is kept if the request for its size fails`() async throws {
        try folder.put(Data("anything".utf8), "w.a.raw.png")
        let session = CountingSession { _ in throw ServiceError(.connection, "refused") }
        #expect(try await log(session, .samples("a")).ends == ["present a w.a.raw.png 8"])
    }

    @Test func `an empty file is replaced`() async throws {
        try folder.put(Data(), "w.a.raw.png")
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        #expect(try await log(session, .samples("a")).ends == ["fetched a w.a.raw.png \(SamplePicture.png.count)"])
        #expect(session.recorded.map(\.head.httpMethod) == ["GET"])
    }

    @Test func `the file with the stated size is used if several formats exist`() async throws {
        try folder.put(SamplePicture.png, "w.a.raw.png")
        try folder.put(SamplePicture.gif, "w.a.raw.gif")
        let session = CountingSession { _ in (200, ["Content-Length": "43"], Data()) }
        #expect(try await log(session, .samples("a")).ends == ["present a w.a.raw.gif 43"])
    }

    @Test func `an existing picture is kept if fetching its new version fails`() async throws {
        try folder.put(SamplePicture.gif, "w.a.raw.gif")
        let session = CountingSession(head: { _ in (200, ["Content-Length": "97"], Data()) }) { _ in (500, [:], Data())
        }
        #expect(try await log(session, .samples("a")).errors.map(\.code) == [.status])
        #expect(try folder.data("w.a.raw.gif") == SamplePicture.gif && folder.names == ["w.a.raw.gif"])
    }

    @Test func `a cancellation ends the request for a size`() async throws {
        try folder.put(SamplePicture.gif, "w.a.raw.gif")
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let session = CountingSession { _ in
            arrival.yield()
            await waitUntilCancelled()
            throw CancellationError()
        }
        let list = try [Picture].samples("a")
        let downloader = PictureDownloader(into: folder.url, session: session)
        let run = Task { try await downloader.download(list) { _ in } }
        for await _ in arrivals.prefix(1) {}
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }
}
