import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct DownloadTests {
    private static let film = Film(100)

    private func loader(_ session: FilmSession, _ api: FilmAPI = FilmAPI()) -> APILoader<FilmAPI> {
        APILoader(api, session: session, time: InstantClock(), random: FixedRandom(fraction: 1))
    }

    /// Leaves a partial file of 40 bytes.
    private func interrupt(_ folder: ScratchFolder, _ film: Film = film, into: Bool = false) async throws {
        let session = FilmSession(film) { reply, index in
            if index > 0 { throw ServiceError(.tls, "refused") }
            reply.headers.append("Content-Disposition", #"attachment; filename="holiday.mov""#)
            reply.breakBody(after: 40)
        }
        let loader = loader(session)
        let download = into ? loader.download(into: folder.url) : loader.download(to: folder.film)
        let error = await #expect(throws: ServiceError.self) { try await download.value }
        #expect(error?.code == .tls)
        #expect(try folder.names().count == 2 && folder.leftovers().count == 2)
    }

    @Test func `a complete file has its name and no leftovers`() async throws {
        let folder = try ScratchFolder()
        let session = FilmSession(Self.film)
        let file = try await loader(session).download(to: folder.film).value
        #expect(file.url == folder.film && file.size == 100 && file.resumedFrom == 0 && file.head.status == 200)
        #expect(file.digest == nil)
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
        #expect(try folder.names() == ["film.mov"])
        #expect(session.recorded.map { $0.headers["Accept-Encoding"] } == ["identity"])
    }

    @Test func `an empty file is complete`() async throws {
        let folder = try ScratchFolder()
        for ranges in [1, 4] {
            var options = DownloadOptions()
            (options.overwrites, options.ranges) = (true, ranges)
            let file = try await loader(FilmSession(Film(0))).download(to: folder.film, options: options).value
            #expect(file.size == 0)
            #expect(try folder.names() == ["film.mov"])
        }
    }

    @Test func `a lost connection is resumed after growing waits`() async throws {
        let folder = try ScratchFolder()
        let clock = InstantClock()
        let session = FilmSession(Self.film) { reply, index in
            switch index {
            case 0: reply.breakBody(after: 35)
            case 1, 2: throw ServiceError(.connection, "refused")
            case 3: reply.breakBody(after: 20)
            default: break
            }
        }
        let loader = APILoader(FilmAPI(), session: session, time: clock, random: FixedRandom(fraction: 1))
        let file = try await loader.download(to: folder.film).value
        #expect(file.size == 100 && file.resumedFrom == 0 && file.head.status == 206)
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
        #expect(session.ranges == ["", "bytes=35-", "bytes=35-", "bytes=35-", "bytes=55-"])
        #expect(session.recorded.dropFirst().allSatisfy { $0.headers["If-Range"] == #""1""# })
        let waits = clock.waits.map { ($0 / .milliseconds(100)).rounded() }
        #expect(waits == [5, 10, 20, 5])
    }

    @Test func `a later call resumes the partial file`() async throws {
        let folder = try ScratchFolder()
        try await interrupt(folder)
        let session = FilmSession(Self.film)
        let file = try await loader(session).download(to: folder.film).value
        #expect(file.resumedFrom == 40 && session.ranges == ["bytes=40-"])
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
        #expect(try folder.names() == ["film.mov"])
    }

    /// A sequence may end instead of throwing when its reader is cancelled.
    @Test func `a cancelled download never looks complete`() async throws {
        let folder = try ScratchFolder()
        let (chunks, chunk) = AsyncStream<Data>.makeStream()
        let session = BodySession(headers: ["ETag": #""1""#]) { ResponseBody(stream: chunks) }
        let download = filmLoader(FilmAPI(), session, InstantClock()).download(to: folder.film)
        let task = Task { try await download.value }
        chunk.yield(Data("start".utf8))
        while try folder.leftovers().isEmpty { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(try !folder.names().contains("film.mov"))
    }

    @Test func `a body that the session did not decode is an error`() async throws {
        let folder = try ScratchFolder()
        let session = BodySession(headers: ["Content-Encoding": "br"]) {
            var body = ResponseBody(Data("coded".utf8))
            body.codings = ContentCodings("br")
            return body
        }
        let error = await #expect(throws: ServiceError.self) {
            try await filmLoader(FilmAPI(), session, InstantClock()).download(to: folder.film).value
        }
        #expect(error?.code == .decoding)
        #expect(try folder.names() == [])
    }

    /// Responds to each request with the same headers and body.
    @Test func `a changed resource starts again`() async throws {
        let folder = try ScratchFolder()
        try await interrupt(folder)
        let other = Film(70, seed: 2)
        let file = try await loader(FilmSession(other)).download(to: folder.film).value
        #expect(file.resumedFrom == 0 && file.size == 70 && file.head.status == 200)
        #expect(try Data(contentsOf: folder.film) == other.content)
    }

    @Test(arguments: [false, true]) func `a partial file belongs to its URL or identity`(hasIdentity: Bool) async throws
    {
        let folder = try ScratchFolder()
        var options = DownloadOptions()
        options.identity = hasIdentity ? "film 1" : nil
        let broken = FilmSession(Self.film) { reply, index in
            if index > 0 { throw ServiceError(.tls, "refused") }
            reply.breakBody(after: 40)
        }
        let first = loader(broken, FilmAPI(url: "https://films.example/1?signature=a"))
        await #expect(throws: ServiceError.self) { try await first.download(to: folder.film, options: options).value }
        let session = FilmSession(Self.film)
        let second = loader(session, FilmAPI(url: "https://films.example/1?signature=b"))
        _ = try await second.download(to: folder.film, options: options).value
        #expect(session.ranges == [hasIdentity ? "bytes=40-" : ""])
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
    }

    @Test func `an expired link is made again once`() async throws {
        let folder = try ScratchFolder()
        try await interrupt(folder)
        let made = Locked(0)
        let session = FilmSession(Self.film) { reply, index in
            if index == 0 { reply = Film.Reply(status: 403, headers: [:], body: Data()) }
        }
        let api = FilmAPI(made: { made.withLock { $0 += 1 } })
        _ = try await loader(session, api).download(to: folder.film).value
        #expect(made.withLock { $0 } == 2 && session.ranges == ["bytes=40-", "bytes=40-"])
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
    }

    @Test func `a link that stays expired keeps the partial file`() async throws {
        let folder = try ScratchFolder()
        try await interrupt(folder)
        let session = FilmSession(Self.film) { reply, _ in reply = .init(status: 403, headers: [:], body: Data()) }
        let error = await #expect(throws: ServiceError.self) {
            try await loader(session).download(to: folder.film).value
        }
        #expect(error?.status == 403 && session.recorded.count == 2)
        _ = try await loader(FilmSession(Self.film)).download(to: folder.film).value
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
    }

    @Test func `a complete partial file is confirmed with its last byte`() async throws {
        let folder = try ScratchFolder()
        let session = FilmSession(Self.film) { reply, index in
            if index > 0 { throw ServiceError(.tls, "refused") }
            // All bytes arrive, but not the end of the body.
            reply.error = URLError(.networkConnectionLost)
        }
        await #expect(throws: ServiceError.self) { try await loader(session).download(to: folder.film).value }
        let next = FilmSession(Self.film)
        let file = try await loader(next).download(to: folder.film).value
        #expect(next.ranges == ["bytes=99-"] && file.size == 100)
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
    }

    @Test(arguments: [#"W/"1""#, "1"]) func `without a strong validator nothing is kept`(tag: String) async throws {
        let folder = try ScratchFolder()
        let session = FilmSession(Self.film) { reply, _ in
            reply.headers["ETag"] = tag
            reply.breakBody(after: 40)
        }
        let error = await #expect(throws: ServiceError.self) {
            try await loader(session).download(to: folder.film).value
        }
        #expect(error?.code == .connectionLost && error?.status == 200 && session.recorded.count == 1)
        #expect(try folder.names() == [])
    }

    @Test func `a session that cannot wait for the disk leaves a partial file`() async throws {
        let folder = try ScratchFolder()
        let session = FilmSession(Self.film) { reply, _ in
            reply.breakBody(after: 40)
            reply.error = ServiceError(.bodyTooLarge, "expected at most 64 unread bytes, found more")
        }
        let error = await #expect(throws: ServiceError.self) {
            try await loader(session).download(to: folder.film).value
        }
        #expect(error?.code == .bodyTooLarge)
        let file = try await loader(FilmSession(Self.film)).download(to: folder.film).value
        #expect(file.resumedFrom == 40)
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
    }

    @Test func `a download that does not resume sends no range`() async throws {
        let folder = try ScratchFolder()
        try await interrupt(folder)
        var options = DownloadOptions()
        (options.resumes, options.ranges) = (false, 4)
        let session = FilmSession(Self.film)
        let file = try await loader(session).download(to: folder.film, options: options).value
        #expect(session.ranges == [""] && session.recorded[0].headers["Accept-Encoding"] == nil)
        #expect(file.resumedFrom == 0)
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
        #expect(try folder.names() == ["film.mov"])
    }

    @Test func `the deadline applies to all attempts together`() async throws {
        let folder = try ScratchFolder()
        let session = FilmSession(Self.film) { reply, _ in reply.breakBody(after: 10) }
        let api = FilmAPI(timeout: .milliseconds(800))
        let clock = SkippingClock(end: .milliseconds(800))
        let loader = APILoader(api, session: session, time: clock, random: FixedRandom(fraction: 1))
        // The second wait of 500 ms would end after the deadline.
        let error = await #expect(throws: ServiceError.self) { try await loader.download(to: folder.film).value }
        #expect(error?.code == .connectionLost && session.recorded.count == 2)
        #expect(error?.trail.events.contains { $0.source == .download } == true)
        #expect(try folder.leftovers().count == 2)
    }

    @Test func `the progress includes the resumed bytes`() async throws {
        let folder = try ScratchFolder()
        try await interrupt(folder)
        var (completed, file): ([Int64], DownloadedFile?) = ([], nil)
        for try await event in loader(FilmSession(Self.film)).download(to: folder.film) {
            switch event {
            case .progress(let progress):
                completed.append(progress.completed)
                #expect(progress.total == nil || progress.total == 100)
            case .finished(let finished): file = finished
            }
        }
        #expect(completed.last == 100 && completed.allSatisfy { $0 == 0 || $0 >= 40 } && file?.resumedFrom == 40)
    }
}

/// A clock that skips waits that end before `end`. Others, such as that of a deadline, last until they are cancelled.
private final class SkippingClock: TimeSource {
    private let end: Duration
    private let state = Locked(Duration.zero)

    init(end: Duration) { self.end = end }

    var now: Duration { state.withLock { $0 } }
    var date: Date { Date(timeIntervalSince1970: 0) + now / .seconds(1) }

    func sleep(until instant: Duration) async throws {
        if instant >= end { await waitUntilCancelled() }
        try Task.checkCancellation()
        state.withLock { $0 = max($0, instant) }
    }
}
