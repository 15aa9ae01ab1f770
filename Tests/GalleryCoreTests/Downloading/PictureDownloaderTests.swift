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

    @Test func `the file extension follows the format of the bytes`() async throws {
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

    @Test func `requests have no credentials, and their bodies are not collected`() async throws {
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        _ = try await log(session, .samples("a"))
        let request = try #require(session.recorded.first)
        #expect(Set((request.head.allHTTPHeaderFields ?? [:]).keys) == ["Accept", "Accept-Encoding"])
        #expect(request.options.delivery == .streamed)
    }

    @Test func `heartbeats are reported during a run only if they are enabled`() async throws {
        struct Enough: Error {}
        var downloader = PictureDownloader(into: folder.url, session: StuckSession())
        downloader.heartbeat = .milliseconds(1)
        var beats = 0
        await #expect(throws: Enough.self) {
            try await downloader.download([Picture].samples("a")) { event in
                guard case .progress = event else { return }
                beats += 1
                if beats == 3 { throw Enough() }
            }
        }
        #expect(beats == 3)
        let log = try await log(CountingSession { _ in (200, [:], SamplePicture.png) }, .samples("b", "c"))
        #expect(!log.lines.contains("progress"))
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let status: Int
        let headers: HeaderFields
        let body: Data
        let code: DownloadError.Code
        let reason: String
        var testDescription: String { reason }

        init(_ status: Int, _ headers: HeaderFields, _ body: Data, _ code: DownloadError.Code, _ reason: String) {
            (self.status, self.headers, self.body, self.code, self.reason) = (status, headers, body, code, reason)
        }
    }

    @Test(arguments: [
        Fault(404, [:], SamplePicture.png, .status, "the server responded with status 404 not found"),
        Fault(201, [:], SamplePicture.png, .status, "the server responded with status 201 created"),
        Fault(
            206, [:], SamplePicture.png, .transfer,
            "expected the complete body, found a part that was not requested"),
        Fault(302, ["Location": "/x"], Data(), .status, "the server responded with status 302 found"),
        Fault(200, [:], Data(), .notAPicture, "the server sent an empty picture"),
        Fault(
            200, ["Content-Type": "text/html"], Data("<html>".utf8), .notAPicture,
            "expected a png, jpeg, webp, gif or avif picture, received data of type text/html"),
        Fault(
            200, ["Content-Length": "99"], Data(), .truncated,
            "expected a body of 99 bytes, found the end after 0"),
        Fault(
            200, ["Content-Length": "999"], SamplePicture.gif, .truncated,
            "expected a body of 999 bytes, found the end after 43"),
        Fault(
            200, ["Content-Length": "67108865"], SamplePicture.gif, .transfer,
            "expected a body of at most 67108864 bytes, found more"),
    ])
    func `a response without a complete picture fails and leaves no file`(fault: Fault) async throws {
        let session = CountingSession { path in
            path == "/b" ? (200, [:], SamplePicture.png) : (fault.status, fault.headers, fault.body)
        }
        let log = try await log(session, .samples("a", "b"))
        #expect(log.errors.map(\.code) == [fault.code])
        #expect(log.ends.contains("fetched b w.b.raw.png 97") && log.ends.count == 2)
        #expect(log.errors.first?.reason.lowercased() == fault.reason)
        #expect(folder.names == ["w.b.raw.png"])
    }

    @Test func `the length is ignored if the body has a content coding`() async throws {
        let headers: HeaderFields = ["Content-Length": "12", "Content-Encoding": "gzip"]
        let session = CountingSession { _ in (200, headers, SamplePicture.png) }
        #expect(try await log(session, .samples("a")).errors.isEmpty)
    }

    @Test(arguments: ["ftp://127.0.0.1/a", "file:///etc/passwd", "data:image/png;base64,AA", "//x/a"])
    func `a URL that is not http or https is rejected`(text: String) async throws {
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        let url = try #require(URL(string: text))
        let log = try await log(session, [Picture(id: "a", variant: "raw", url: url)])
        #expect(log.errors.map(\.code) == [.invalidURL] && session.recorded.isEmpty)
    }

    @Test(arguments: [
        "http://ada:pw@127.0.0.1/a", "https://ada@h.example/a", "http://:pw@h.example/a", "http://a%40b:@h.example/a",
        "http://@h.example/a", "http://:@h.example/a",
    ])
    func `a URL with a user or a password is rejected before sending`(text: String) async throws {
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        let url = try #require(URL(string: text))
        let log = try await log(session, [Picture(id: "a", variant: "raw", url: url)])
        #expect(log.errors.map(\.code) == [.invalidURL] && session.recorded.isEmpty)
        #expect(log.errors.first?.reason == "the picture's URL contains a user name or a password")
    }

    @Test func `the number of concurrent fetches does not exceed the limit`() async throws {
        let session = CountingSession { _ in
            await Task.yield()
            return (200, [:], SamplePicture.png)
        }
        let log = try await log(session, .samples("a", "b", "c", "d", "e", "f", "g"), concurrency: 2)
        #expect(log.ends.count == 7 && session.maximumConcurrency <= 2)
    }

    @Test func `an error of the session is the cause of the failure`() async throws {
        let session = CountingSession { _ in throw ServiceError(.connectionLost, "connection reset") }
        let error = try #require(try await log(session, .samples("a")).errors.first)
        #expect(error.code == .transfer && error.reason == "connection reset" && error.cause?.code == .connectionLost)
        #expect(folder.names.isEmpty)
    }

    @Test func `failed follow-up work is only a warning`() async throws {
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        var downloader = PictureDownloader(into: folder.url, session: session)
        downloader.followUp = { $0.id == "a" ? "not counted" : nil }
        var log = EventLog()
        try await downloader.download([Picture].samples("a", "b")) { log.add($0) }
        #expect(log.ends == ["fetched a w.a.raw.png 97", "fetched b w.b.raw.png 97", "warning a not counted"])
    }

    @Test func `pictures that require no follow-up work are skipped`() async throws {
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        var downloader = PictureDownloader(into: folder.url, session: session)
        downloader.followUp = { "told of \($0.id)" }
        downloader.needsFollowUp = { $0.id != "b" }
        var log = EventLog()
        try await downloader.download([Picture].samples("a", "b", "c")) { log.add($0) }
        #expect(
            log.lines.filter { $0.hasPrefix("warning") }.sorted() == ["warning a told of a", "warning c told of c"])
        #expect(folder.names.count == 3)
    }

    @Test func `follow-up work does not delay the report or the next fetch`() async throws {
        let (ends, end) = AsyncStream<Void>.makeStream()
        var downloader = PictureDownloader(
            into: folder.url, session: CountingSession { _ in (200, [:], SamplePicture.png) })
        downloader.concurrency = 1
        downloader.followUpTimeout = .seconds(60)
        downloader.followUp = { picture in
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
    func `unfinished follow-up work is cancelled at the end of the run`(concurrency: Int) async throws {
        var downloader = PictureDownloader(
            into: folder.url, session: CountingSession { _ in (200, [:], SamplePicture.png) })
        downloader.concurrency = concurrency
        downloader.followUpTimeout = .zero
        let notices = CountingSession { _ in
            await waitUntilCancelled()
            throw CancellationError()
        }
        downloader.followUp = { picture in
            let head = URLRequest(url: picture.url)
            _ = try? await notices.send(APIRequest(head: head, body: .none, options: RequestOptions()))
            return "cancelled"
        }
        var log = EventLog()
        try await downloader.download([Picture].samples("a", "b", "c", "d")) { log.add($0) }
        #expect(log.lines.last == "abandoned 4" && log.lines.count == 9)
        #expect(folder.names.count == 4 && notices.maximumConcurrency <= concurrency)
    }

    @Test func `a cancellation ends the run and leaves no file`() async throws {
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

    @Test func `an error thrown by the report ends the run`() async throws {
        struct Enough: Error {}
        let session = CountingSession { _ in (200, [:], SamplePicture.png) }
        let downloader = PictureDownloader(into: folder.url, session: session)
        let list = try [Picture].samples("a", "b", "c")
        await #expect(throws: Enough.self) { try await downloader.download(list) { _ in throw Enough() } }
        #expect(session.recorded.isEmpty)
    }
}
