import Errand
import ErrandSupport
import GalleryCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PictureBatchTests {
    private let folder: TemporaryFolder
    private let session = CountingSession { _ in (200, [:], SamplePicture.png) }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func pictures(_ ids: String) throws -> [Picture] {
        try ids.map { id in
            let url = try #require(URL(string: "https://pictures.example/\(id)"))
            return Picture(id: String(id), words: "w", variant: "raw", url: url)
        }
    }

    private func downloader(_ concurrency: Int = 1, _ session: CountingSession? = nil) -> PictureDownloader {
        var downloader = PictureDownloader(into: folder.url, session: session ?? self.session)
        downloader.concurrency = concurrency
        return downloader
    }

    @Test func `the first pictures are fetched while the next are listed`() async throws {
        let (batches, batch) = AsyncStream<[Picture]>.makeStream()
        batch.yield(try pictures("ab"))
        let next = try pictures("c")
        var log = EventLog()
        try await downloader().download(batches) { event in
            log.add(event)
            guard case .fetched(let picture, _) = event, picture.id == "b" else { return }
            batch.yield(next)
            batch.finish()
        }
        let steps = [
            "listed ab", "started a", "fetched a", "started b", "fetched b", "listed c", "started c", "fetched c",
        ]
        #expect(log.lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == steps)
    }

    @Test func `the next batch is requested when few pictures are waiting`() async throws {
        let asked = Locked(0)
        let all = try [pictures("abcdefghi"), pictures("jk"), []]
        let batches = AsyncStream<[Picture]> {
            let index = asked.withLock { count in
                defer { count += 1 }
                return count
            }
            return index < all.count ? all[index] : nil
        }
        // Picture b ends after the next batch is requested, with seven pictures waiting. Picture a ends after the end of
        // the batches is requested.
        let session = CountingSession { path in
            let count = ["/a": 4, "/b": 2][path, default: 0]
            try await Soak.wait { asked.withLock { $0 } >= count }
            return (200, [:], SamplePicture.png)
        }
        var atStart: [Int] = []
        try await downloader(2, session).download(batches) { event in
            if case .started = event { atStart.append(asked.withLock { $0 }) }
        }
        #expect(atStart.count == 11 && atStart.first == 1)
    }

    @Test func `a picture in two batches is fetched once under a distinct name`() async throws {
        let (batches, batch) = AsyncStream<[Picture]>.makeStream()
        for ids in ["ab", "ba", "A"] { batch.yield(try pictures(ids)) }
        batch.finish()
        try await downloader(6).download(batches) { _ in }
        #expect(session.recorded.count == 3 && Set(folder.names.map { $0.lowercased() }).count == 3)
    }

    @Test func `a list that fails cancels all downloads`() async throws {
        struct Broken: Error {}
        let first = try pictures("a")
        let isFirst = Locked(true)
        let stuck = PictureDownloader(into: folder.url, session: StuckSession())
        let batches = AsyncThrowingStream<[Picture], any Error> {
            guard isFirst.withLock({ $0.exchange(with: false) }) else { throw Broken() }
            return first
        }
        await #expect(throws: Broken.self) { try await stuck.download(batches) { _ in } }
        #expect(folder.names.isEmpty)
    }

    @Test func `an empty list does not create the folder`() async throws {
        let destination = folder.url.appending(path: "new", directoryHint: .isDirectory)
        let (batches, batch) = AsyncStream<[Picture]>.makeStream()
        batch.yield([])
        batch.finish()
        var log = EventLog()
        try await PictureDownloader(into: destination, session: session).download(batches) { log.add($0) }
        #expect(log.lines == ["listed "] && folder.names.isEmpty)
    }

    @Test func `a list that ends on cancellation is not a success`() async throws {
        let (batches, batch) = AsyncStream<[Picture]>.makeStream()
        batch.yield([])
        let downloader = downloader()
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let run = Task { try await downloader.download(batches) { _ in arrival.yield() } }
        for await _ in arrivals.prefix(1) {}
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        batch.finish()
    }

    @Test func `any concurrency is allowed`() async throws {
        try await downloader(.max).download(pictures("abc")) { _ in }
        #expect(folder.names.count == 3)
    }

    @Test func `a cancellation ends a run that waits for its list`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let batches = AsyncThrowingStream<[Picture], any Error> {
            arrival.yield()
            await waitUntilCancelled()
            throw CancellationError()
        }
        let downloader = downloader()
        let run = Task { try await downloader.download(batches) { _ in } }
        for await _ in arrivals.prefix(1) {}
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }
}

extension Bool {
    fileprivate mutating func exchange(with other: Bool) -> Bool {
        defer { self = other }
        return self
    }
}
