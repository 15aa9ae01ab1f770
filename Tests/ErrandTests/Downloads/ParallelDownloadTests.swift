import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ParallelDownloadTests {
    private static let film = Film(5 << 20)
    private static let chunk = 1 << 17

    private func download(_ session: FilmSession, to folder: ScratchFolder, digest: FileDigest? = nil) async throws
        -> DownloadedFile
    {
        var options = DownloadOptions()
        (options.ranges, options.digest) = (4, digest)
        let loader = APILoader(FilmAPI(), session: session, time: InstantClock())
        return try await loader.download(to: folder.film, options: options).value
    }

    private func parts(_ session: FilmSession) -> [String] { session.ranges.dropFirst().sorted() }

    @Test func `the first part shows that the server supports ranges`() async throws {
        let folder = try ScratchFolder()
        let session = FilmSession(Self.film, chunk: Self.chunk)
        let file = try await download(session, to: folder, digest: Self.film.digest)
        #expect(file.size == 5 << 20 && file.head.status == 206 && file.resumedFrom == 0)
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
        #expect(try folder.names() == ["film.mov"])
        #expect(session.ranges.first == "bytes=0-1048575")
        #expect(parts(session) == (1...4).map { "bytes=\($0 << 20)-\(($0 + 1) << 20 - 1)" })
        #expect(session.recorded.dropFirst().allSatisfy { $0.headers["If-Range"] == #""1""# })
    }

    @Test func `a small file needs one or two requests`() async throws {
        for (size, requests) in [(9, 1), (1 << 20, 1), ((2 << 20) + 5, 2)] {
            let folder = try ScratchFolder()
            let film = Film(size)
            let session = FilmSession(film, chunk: Self.chunk)
            _ = try await download(session, to: folder)
            #expect(session.ranges.count == requests)
            #expect(try Data(contentsOf: folder.film) == film.content)
        }
    }

    @Test func `a server without ranges sends the file in one response`() async throws {
        let folder = try ScratchFolder()
        let session = FilmSession(Self.film, chunk: Self.chunk) { reply, _ in
            reply = Self.film.reply(range: nil, ifRange: nil)
        }
        let file = try await download(session, to: folder)
        #expect(session.ranges.count == 1 && file.head.status == 200)
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
    }

    @Test func `each part resumes after a lost connection`() async throws {
        let folder = try ScratchFolder()
        let session = FilmSession(Self.film, chunk: Self.chunk) { reply, index in
            if (1...4).contains(index) { reply.breakBody(after: 100_000 * index) }
        }
        let file = try await download(session, to: folder, digest: Self.film.digest)
        #expect(session.ranges.count == 9 && file.size == 5 << 20)
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
    }

    @Test(arguments: [3, 4]) func `a file that changes between the parts starts again`(at change: Int) async throws {
        let folder = try ScratchFolder()
        let other = Film(3 << 20, seed: 2)
        let ranges = Locked<[String?]>([])
        let session = FilmSession(Self.film, chunk: Self.chunk) { reply, index in
            // The server has the other file from this request on.
            guard index >= change else { return }
            reply = other.reply(range: nil, ifRange: nil)
            ranges.withLock { $0.append(nil) }
        }
        let file = try await download(session, to: folder)
        #expect(file.head.status == 200)
        #expect(try Data(contentsOf: folder.film) == other.content)
        #expect(try folder.names() == ["film.mov"])
    }

    @Test func `a failed part keeps the bytes of the others`() async throws {
        let folder = try ScratchFolder()
        let broken = FilmSession(Self.film, chunk: Self.chunk) { reply, index in
            if index == 4 {
                reply.breakBody(after: 300_000)
                reply.error = ServiceError(.tls, "broken")
            }
        }
        let error = await #expect(throws: ServiceError.self) { try await download(broken, to: folder) }
        #expect(error?.code == .tls)
        let session = FilmSession(Self.film, chunk: Self.chunk)
        let file = try await download(session, to: folder)
        #expect(file.resumedFrom >= 1 << 20, "\(file.resumedFrom)")
        #expect(session.recorded.allSatisfy { $0.headers["If-Range"] == #""1""# })
        #expect(try Data(contentsOf: folder.film) == Self.film.content)
    }

    @Test func `parts that the server refuses wait for the others`() async throws {
        let folder = try ScratchFolder()
        // Two of the four parts are refused until their attempts are used up.
        let session = FilmSession(Self.film, chunk: Self.chunk) { reply, index in
            if (3...14).contains(index) { reply = Film.Reply(status: 503, headers: [:], body: Data()) }
        }
        let file = try await download(session, to: folder, digest: Self.film.digest)
        #expect(session.ranges.count == 17 && file.size == 5 << 20)
    }

    @Test(arguments: [
        (503, nil, true), (503, 60, true), (503, 61, false), (404, nil, false),
    ]) func `a part continues only if it need not wait for long`(status: Int, wait: Int?, expected: Bool) throws {
        var error = ServiceError(.status, "refused")
        error.response = try ErrorScene.head(status, [:])
        error.retryAfter = wait.map { .seconds($0) }
        #expect(DownloadMachine.mayContinue(after: error) == expected)
    }

    @Test func `a stored file with parts that exceeds the limit is removed`() async throws {
        let folder = try ScratchFolder()
        let broken = FilmSession(Self.film, chunk: Self.chunk) { _, index in
            if index == 4 { throw ServiceError(.tls, "broken") }
        }
        await #expect(throws: ServiceError.self) { try await download(broken, to: folder) }
        #expect(try !folder.leftovers().isEmpty)
        var options = DownloadOptions()
        options.limit = 4 << 20
        let loader = APILoader(FilmAPI(), session: FilmSession(Self.film), time: InstantClock())
        let error = await #expect(throws: ServiceError.self) {
            try await loader.download(to: folder.film, options: options).value
        }
        #expect(error?.code == .bodyTooLarge)
        #expect(try folder.names() == [])
    }

    @Test func `parts that are always refused end the download`() async throws {
        let folder = try ScratchFolder()
        let session = FilmSession(Self.film, chunk: Self.chunk) { reply, index in
            if index > 0 { reply = Film.Reply(status: 503, headers: [:], body: Data()) }
        }
        let error = await #expect(throws: ServiceError.self) { try await download(session, to: folder) }
        #expect(error?.status == 503 && session.ranges.count < 100)
    }

    @Test func `a wrong part is found by the digest`() async throws {
        let folder = try ScratchFolder()
        let session = FilmSession(Self.film, chunk: Self.chunk) { reply, index in
            if index == 2 { reply.body[9] ^= 1 }
        }
        let error = await #expect(throws: ServiceError.self) {
            try await download(session, to: folder, digest: Self.film.digest)
        }
        #expect(error?.code == .badResponse)
        #expect(try folder.names() == [])
    }
}
