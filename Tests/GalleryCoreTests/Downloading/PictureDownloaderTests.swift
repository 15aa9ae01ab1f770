import Errand
import GalleryCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PictureDownloaderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func log(_ session: CountingSession, _ pictures: [Picture], concurrency: Int = 6) async throws -> EventLog {
        try await EventLog(of: session, pictures, into: folder, concurrency: concurrency)
    }

    @Test func `each picture gets a file with the extension of its bytes`() async throws {
        let session = CountingSession { path in
            let format = try #require(PictureFormat(rawValue: String(path.dropFirst())))
            return (200, ["Content-Type": "application/octet-stream"], SamplePicture.data(format))
        }
        let log = try await log(session, .samples("png", "jpeg", "webp", "gif", "avif"))
        #expect(log.ends.count == 5 && log.errors.isEmpty)
        #expect(
            folder.names == [
                "w.avif.raw.avif", "w.gif.raw.gif", "w.jpeg.raw.jpg", "w.png.raw.png", "w.webp.raw.webp",
            ])
        #expect(try folder.data("w.png.raw.png") == SamplePicture.png)
    }

    @Test func `requests carry no credentials and a cap`() async throws {
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        _ = try await log(session, .samples("a"))
        let request = try #require(session.recorded.first)
        #expect(Set((request.head.allHTTPHeaderFields ?? [:]).keys) == ["Accept", "Accept-Encoding"])
        #expect(request.options.delivery == .buffered(upTo: 67_108_864))
    }

    @Test func `a heartbeat is reported while pictures are on their way, and only where it is wanted`() async throws {
        struct Enough: Error {}
        var downloader = PictureDownloader(into: folder.url, session: StuckSession())
        downloader.heartbeat = .milliseconds(1)
        var beats = 0
        await #expect(throws: Enough.self) {
            try await downloader.download([Picture].samples("a")) { event in
                guard case .waiting = event else { return }
                beats += 1
                if beats == 3 { throw Enough() }
            }
        }
        #expect(beats == 3)
        let log = try await log(CountingSession { _ in (200, [:], SamplePicture.png) }, .samples("b", "c"))
        #expect(!log.lines.contains("waiting"))
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let status: Int
        let fields: HeaderFields
        let body: Data
        let code: DownloadError.Code
        let reason: String
        var testDescription: String { reason }

        init(_ status: Int, _ fields: HeaderFields, _ body: Data, _ code: DownloadError.Code, _ reason: String) {
            (self.status, self.fields, self.body, self.code, self.reason) = (status, fields, body, code, reason)
        }
    }

    @Test(arguments: [
        Fault(404, [:], SamplePicture.png, .status, "the server answered 404 not found"),
        Fault(206, [:], SamplePicture.png, .status, "the server answered 206 partial content"),
        Fault(302, ["Location": "/x"], Data(), .status, "the server answered 302 found"),
        Fault(200, [:], Data(), .notAPicture, "the server sent an empty picture"),
        Fault(
            200, ["Content-Type": "text/html"], Data("<html>".utf8), .notAPicture,
            "the server sent something of type text/html, not a picture of a known kind"),
        Fault(200, ["Content-Length": "99"], Data(), .truncated, "0 bytes of the picture arrived, not 99"),
        Fault(
            200, ["Content-Length": "999"], SamplePicture.gif, .truncated, "43 bytes of the picture arrived, not 999"),
    ])
    func `a response without a complete picture is a failure and leaves nothing`(fault: Fault) async throws {
        let session = CountingSession { path in
            path == "/b" ? (200, [:], SamplePicture.png) : (fault.status, fault.fields, fault.body)
        }
        let log = try await log(session, .samples("a", "b"))
        #expect(log.errors.map(\.code) == [fault.code])
        #expect(log.ends.contains("fetched b w.b.raw.png 97") && log.ends.count == 2)
        #expect(log.errors.first?.reason.lowercased() == fault.reason)
        #expect(folder.names == ["w.b.raw.png"])
    }

    @Test func `a content coding makes the length meaningless`() async throws {
        let fields: HeaderFields = ["Content-Length": "12", "Content-Encoding": "gzip"]
        let session = CountingSession { _ in (200, fields, SamplePicture.png) }
        #expect(try await log(session, .samples("a")).errors.isEmpty)
    }

    @Test(arguments: ["ftp://127.0.0.1/a", "file:///etc/passwd", "data:image/png;base64,AA", "//x/a"])
    func `only http and https are asked`(text: String) async throws {
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        let address = try #require(URL(string: text))
        let log = try await log(session, [Picture(id: "a", variant: "raw", address: address)])
        #expect(log.errors.map(\.code) == [.address] && session.recorded.isEmpty)
    }

    @Test(arguments: [
        "http://ada:pw@127.0.0.1/a", "https://ada@h.example/a", "http://:pw@h.example/a", "http://a%40b:@h.example/a",
        "http://@h.example/a", "http://:@h.example/a",
    ])
    func `an address with a user or a password is refused before anything is sent`(text: String) async throws {
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        let address = try #require(URL(string: text))
        let log = try await log(session, [Picture(id: "a", variant: "raw", address: address)])
        #expect(log.errors.map(\.code) == [.address] && session.recorded.isEmpty)
        #expect(log.errors.first?.reason == "the picture's address holds a user name or a password")
    }

    @Test func `no more than the set number run at a time`() async throws {
        let session = CountingSession { _ in
            await Task.yield()
            return (200, [:], SamplePicture.png)
        }
        let log = try await log(session, .samples("a", "b", "c", "d", "e", "f", "g"), concurrency: 2)
        #expect(log.ends.count == 7 && session.mostAtATime <= 2)
    }

    @Test func `a session's error is a failure with its cause`() async throws {
        let session = CountingSession { _ in throw ServiceError(.connectionLost, "connection reset") }
        let error = try #require(try await log(session, .samples("a")).errors.first)
        #expect(error.code == .transfer && error.reason == "connection reset" && error.cause?.code == .connectionLost)
        #expect(folder.names.isEmpty)
    }

    @Test func `what is done afterwards only warns`() async throws {
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        var downloader = PictureDownloader(into: folder.url, session: session)
        downloader.afterwards = { $0.id == "a" ? "not counted" : nil }
        var log = EventLog()
        try await downloader.download([Picture].samples("a", "b")) { log.add($0) }
        #expect(log.ends == ["fetched a w.a.raw.png 97", "fetched b w.b.raw.png 97", "warning a not counted"])
    }

    @Test func `nothing is done after a picture that needs nothing`() async throws {
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        var downloader = PictureDownloader(into: folder.url, session: session)
        downloader.afterwards = { "told of \($0.id)" }
        downloader.needsAfterwards = { $0.id != "b" }
        var log = EventLog()
        try await downloader.download([Picture].samples("a", "b", "c")) { log.add($0) }
        #expect(
            log.lines.filter { $0.hasPrefix("warning") }.sorted() == ["warning a told of a", "warning c told of c"])
        #expect(folder.names.count == 3)
    }

    @Test func `a picture is reported and its slot is free while what is done afterwards still runs`() async throws {
        let (ends, end) = AsyncStream<Void>.makeStream()
        var downloader = PictureDownloader(
            into: folder.url, session: CountingSession { _ in (200, [:], SamplePicture.png) })
        downloader.concurrency = 1
        downloader.patience = .seconds(60)
        downloader.afterwards = { picture in
            if picture.id == "a" { for await _ in ends {} }
            return "told of \(picture.id)"
        }
        var log = EventLog()
        try await downloader.download([Picture].samples("a", "b", "c")) { event in
            log.add(event)
            if case .fetched(let picture, _) = event, picture.id == "c" { end.finish() }
        }
        let pictures = log.lines.filter { !$0.hasPrefix("warning") }.map { $0.prefix(9) }
        #expect(pictures == ["started a", "fetched a", "started b", "fetched b", "started c", "fetched c"])
        #expect(log.lines.filter { $0.hasPrefix("warning") }.count == 3)
    }

    @Test(arguments: [1, 2, 6])
    func `what is done afterwards is given up at the end of the run`(concurrency: Int) async throws {
        var downloader = PictureDownloader(
            into: folder.url, session: CountingSession { _ in (200, [:], SamplePicture.png) })
        downloader.concurrency = concurrency
        downloader.patience = .zero
        let notices = CountingSession { _ in
            await waitUntilCancelled()
            throw CancellationError()
        }
        downloader.afterwards = { picture in
            let head = URLRequest(url: picture.address)
            _ = try? await notices.send(APIRequest(head: head, body: .none, options: RequestOptions()))
            return "cancelled"
        }
        var log = EventLog()
        try await downloader.download([Picture].samples("a", "b", "c", "d")) { log.add($0) }
        #expect(log.lines.last == "abandoned 4" && log.lines.count == 9)
        #expect(folder.names.count == 4 && notices.mostAtATime <= concurrency)
    }

    @Test func `cancelling ends the run and leaves nothing`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let session = CountingSession { _ in
            arrival.yield()
            await waitUntilCancelled()
            throw CancellationError()
        }
        let list = try [Picture].samples("a", "b", "c")
        let downloader = PictureDownloader(into: folder.url, session: session)
        let run = Task { try await downloader.download(list) { _ in } }
        var arrived = arrivals.makeAsyncIterator()
        for _ in list { await arrived.next() }
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(folder.names.isEmpty)
    }

    @Test func `a consumer that gives up stops the run`() async throws {
        struct Enough: Error {}
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        let downloader = PictureDownloader(into: folder.url, session: session)
        let list = try [Picture].samples("a", "b", "c")
        await #expect(throws: Enough.self) { try await downloader.download(list) { _ in throw Enough() } }
        #expect(session.recorded.isEmpty)
    }
}
