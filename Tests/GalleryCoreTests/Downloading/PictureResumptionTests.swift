import Errand
import ErrandTesting
import GalleryCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PictureResumptionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ replies: CannedReply..., query: String = "") async throws -> (EventLog, [APIRequest]) {
        let session = ScriptedSession(replies)
        let url = try #require(URL(string: "https://pictures.example/a" + query))
        let picture = Picture(id: "a", words: "w", variant: "raw", url: url)
        var log = EventLog()
        try await PictureDownloader(into: folder.url, session: session).download([picture]) { log.add($0) }
        try session.verify()
        return (log, session.recorded)
    }

    private func reply(_ data: Data, tag: String = #""1""#) -> CannedReply {
        .data(data, type: "image/png").header("ETag", tag).header("Content-Length", "\(data.count)")
    }

    private func part(_ data: Data, from start: Int) -> CannedReply {
        .data(Data(data.dropFirst(start)), status: 206).header("ETag", #""1""#)
            .header("Content-Range", "bytes \(start)-\(data.count - 1)/\(data.count)")
    }

    /// Leaves a partial file of 40 bytes.
    private func interrupt(_ data: Data = SamplePicture.png) async throws {
        let refusal = ServiceError(.tls, "broken")
        let (log, _) = try await run(reply(data).truncatingBody(after: 40, with: refusal), query: "?list=1")
        #expect(log.errors.map(\.code) == [.transfer])
        #expect(folder.names.count == 2 && folder.names.allSatisfy { $0.hasPrefix(".errand-") })
    }

    @Test(arguments: ["?list=1", "?list=2", ""])
    func `the next run continues a partial picture`(query: String) async throws {
        try await interrupt()
        let (log, requests) = try await run(part(SamplePicture.png, from: 40), query: query)
        #expect(log.ends == ["fetched a w.a.raw.png 97"] && folder.names == ["w.a.raw.png"])
        #expect(requests.map { $0.headers["Range"] } == ["bytes=40-"])
        #expect(requests.map { $0.headers["If-Range"] } == [#""1""#])
        #expect(try folder.data("w.a.raw.png") == SamplePicture.png)
    }

    @Test func `a picture that has changed starts again`() async throws {
        try await interrupt()
        let (log, _) = try await run(reply(SamplePicture.gif, tag: #""2""#))
        #expect(log.ends == ["fetched a w.a.raw.gif 43"] && folder.names == ["w.a.raw.gif"])
        #expect(try folder.data("w.a.raw.gif") == SamplePicture.gif)
    }

    @Test func `a partial file that is not a picture is removed when it is complete`() async throws {
        let page = Data("<!doctype html>".utf8) + Data(count: 99)
        try await interrupt(page)
        let (log, _) = try await run(part(page, from: 40))
        #expect(log.errors.map(\.code) == [.notAPicture] && folder.names == [])
    }

    @Test func `a failure that is not retried keeps the partial picture`() async throws {
        try await interrupt()
        let (log, _) = try await run(.status(500))
        #expect(log.errors.map(\.code) == [.status] && folder.names.count == 2)
        let (next, _) = try await run(part(SamplePicture.png, from: 40))
        #expect(next.ends == ["fetched a w.a.raw.png 97"])
    }

    @Test func `a picture that another run downloads is a failure`() async throws {
        let url = "https://pictures.example/a"
        var options = DownloadOptions()
        options.identity = url
        let request = try APIRequest(URLRequest(url: try #require(URL(string: url))))
        let identity = DownloadRecord.identity(of: request, options)
        let files = try DownloadFiles(in: folder.url, name: ".w.a.raw.gallery-part", identity: identity)
        let (log, requests) = try await run()
        #expect(log.errors.map(\.code) == [.disk] && requests.isEmpty)
        #expect(log.errors.first?.reason.hasPrefix("another download of this resource") == true)
        files.remove()
    }

    @Test func `the progress is the sum of complete and partial pictures`() async throws {
        struct Enough: Error {}
        let session = ScriptedSession { [self] request in
            switch request.path {
            case "/a": reply(SamplePicture.gif)
            case "/d": reply(Data("<!doctype html>".utf8))
            case "/b": reply(SamplePicture.png).stallingBody(after: 40)
            default: .stall
            }
        }
        var downloader = PictureDownloader(into: folder.url, session: session)
        downloader.heartbeat = .milliseconds(1)
        var newest = TransferProgress(completed: 0)
        let rows: [([String], Int64?)] = [(["a", "b"], 43 + 97), (["a", "b", "c"], nil), (["a", "b", "d"], 43 + 97)]
        for (index, (ids, total)) in rows.enumerated() {
            let pictures = try ids.map {
                let url = try #require(URL(string: "https://pictures.example/\($0)"))
                return Picture(id: $0 + "\(index)", words: "w", variant: "raw", url: url)
            }
            await #expect(throws: Enough.self) {
                try await downloader.download(pictures) { event in
                    guard case .progress(let progress) = event else { return }
                    newest = progress
                    if progress.completed == 43 + 40, progress.total == total { throw Enough() }
                }
            }
            #expect(newest.completed == 83 && newest.total == total && newest.rate != nil)
        }
    }
}
