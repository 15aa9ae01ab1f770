import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Uploads over a session without a network.
@Suite(.timeLimit(.minutes(1))) struct ResumableUploadTests {
    private let folder: ScratchFolder
    private let clock = InstantClock()

    init() throws {
        folder = try ScratchFolder()
    }

    private func upload(
        _ film: RequestBody, _ kind: ResumableUploadProtocol, over session: some APISession,
        by handler: FilmUpload? = nil
    ) async throws -> String {
        let handler = try handler ?? FilmUpload()
        let loader = APILoader(handler, session: session, time: clock, random: FixedRandom(fraction: 1))
        return try await loader.upload(film, resumingBy: kind, state: folder.state).value
    }

    @Test(arguments: ResumableUploadProtocol.all)
    func `a file is sent in one request, and no file remains`(kind: ResumableUploadProtocol) async throws {
        let film = try folder.film(1_000)
        let peer = UploadPeer(kind)
        let value = try await upload(.file(film.file), kind, over: peer.session())
        #expect(peer.stored == [film.bytes])
        #expect(value == (kind == .tus ? "204 /files/1 " : "200 /files/1 1000 bytes"))
        #expect(peer.log.count == 2 && peer.log.first == "POST /films")
        #expect(try folder.names() == ["film.mp4"])
    }

    @Test(arguments: ResumableUploadProtocol.all, [0, 1, 700])
    func `data is sent`(kind: ResumableUploadProtocol, size: Int) async throws {
        let peer = UploadPeer(kind)
        let slice = Data(repeating: 7, count: size + 3).dropFirst(3)
        _ = try await upload(.data(slice), kind, over: peer.session())
        #expect(peer.stored == [Data(slice)])
    }

    @Test(arguments: ResumableUploadProtocol.all)
    func `an interrupted upload continues at the stored bytes`(kind: ResumableUploadProtocol) async throws {
        let film = try folder.film(900_000)
        let peer = UploadPeer(kind, [.lost(after: 300_000), .status(503, after: 1), .lost(after: 0), .lostResponse])
        let value = try await upload(.file(film.file), kind, over: peer.session())
        #expect(peer.stored == [film.bytes])
        let sent =
            kind == .googleSession ? "PUT /files/1 bytes 300001-899999/900000 +599999" : "PATCH /files/1 300001 +599999"
        #expect(peer.log.filter { $0 == sent }.count == 2)
        #expect(value.hasPrefix(kind == .tus ? "200 /files/1" : "200 /files/1 900000 bytes"))
        #expect(clock.waits.map { ($0 / .seconds(1)).rounded() } == [1, 1, 1, 2])
    }

    @Test(arguments: ResumableUploadProtocol.all)
    func `a later run continues a failed one`(kind: ResumableUploadProtocol) async throws {
        let film = try folder.film(1_000)
        let peer = UploadPeer(kind, [.lost(after: 400)])
        let down = peer.session { request in
            if ["HEAD", "PUT"].contains(request.method.rawValue), peer.log.count > 1 { throw URLError(.timedOut) }
        }
        let error = await #expect(throws: ServiceError.self) { try await upload(.file(film.file), kind, over: down) }
        #expect(error?.code == .timeout && error?.request?.path == "/films")
        #expect(try folder.names() == ["film.mp4", "film.upload"])
        #expect(try folder.mode(of: "film.upload") == 0o600)
        let count = peer.log.count
        _ = try await upload(.file(film.file), kind, over: peer.session())
        #expect(peer.stored == [film.bytes])
        #expect(peer.log.count == count + 2 && peer.log.filter { $0.hasPrefix("POST") }.count == 1)
        #expect(try folder.names() == ["film.mp4"])
    }

    @Test(arguments: ResumableUploadProtocol.all)
    func `a later run continues a cancelled one`(kind: ResumableUploadProtocol) async throws {
        let film = try folder.film(600_000)
        let peer = UploadPeer(kind)
        var chunked = kind
        chunked.chunk = 262_144
        let settings = chunked
        let (sent, started) = AsyncStream<Void>.makeStream()
        let stalling = peer.session { _ in
            guard peer.log.count == 2 else { return }
            started.finish()
            await waitUntilCancelled()
            try Task.checkCancellation()
        }
        let run = Task { try await upload(.file(film.file), settings, over: stalling) }
        for await _ in sent {}
        run.cancel()
        let error = await #expect(throws: ServiceError.self) { try await run.value }
        #expect(error?.code == .cancelled)
        #expect(try folder.names() == ["film.mp4", "film.upload"])
        _ = try await upload(.file(film.file), settings, over: peer.session())
        #expect(peer.stored == [film.bytes])
        #expect(peer.log.filter { $0.hasPrefix("POST") }.count == 1 && peer.log.count == 5)
    }

    @Test func `a status 413 reduces the chunks`() async throws {
        let film = try folder.film(3 << 20)
        let peer = UploadPeer(.tus, [.status(413, after: 0), .status(413, after: 0)])
        _ = try await upload(.file(film.file), .tus, over: peer.session())
        #expect(peer.stored == [film.bytes])
        #expect(peer.log.filter { $0.hasSuffix("+262144") }.count == 12)
    }

    @Test func `limits of the server are obeyed`() async throws {
        let film = try folder.film(1_000)
        let peer = UploadPeer(.httpDraft, limits: "max-append-size=400")
        _ = try await upload(.file(film.file), .httpDraft, over: peer.session())
        #expect(
            peer.log == ["POST /films", "PATCH /files/1 0 +400", "PATCH /files/1 400 +400", "PATCH /files/1 800 +200"])
    }

    @Test(arguments: ResumableUploadProtocol.all)
    func `a removed upload is created again`(kind: ResumableUploadProtocol) async throws {
        let film = try folder.film(500)
        let peer = UploadPeer(kind, [.lost(after: 100), .removed])
        _ = try await upload(.file(film.file), kind, over: peer.session())
        #expect(peer.stored == [film.bytes])
        #expect(peer.log.filter { $0 == "POST /films" }.count == 2)
    }

    @Test func `the retry interceptor does not send content again`() async throws {
        let film = try folder.film(500)
        let peer = UploadPeer(.googleSession, [.lost(after: 100)])
        let session = peer.session().intercepted(by: RetryInterceptor())
        _ = try await upload(.file(film.file), .googleSession, over: session)
        #expect(
            peer.log == [
                "POST /films", "PUT /files/1 bytes 0-499/500 +500", "PUT /files/1 bytes */500 +0",
                "PUT /files/1 bytes 100-499/500 +400",
            ])
    }

    @Test func `the trail names interruptions`() async throws {
        let film = try folder.film(500)
        let peer = UploadPeer(.tus, [.status(503, after: 100)])
        var handler = try FilmUpload()
        let recorder = Trail.Recorder(on: clock)
        handler.settings.trail = recorder
        _ = try await upload(.file(film.file), .tus, over: peer.session(), by: handler)
        #expect("\(recorder.trail)".contains("interrupted: status 503; asks for the stored bytes in 1000"))
    }

    @Test func `the deadline limits the complete upload`() async throws {
        let film = try folder.film(500)
        let manual = ManualClock()
        var handler = try FilmUpload()
        handler.settings.totalTimeout = .seconds(30)
        let loader = APILoader(
            handler, session: UploadPeer(.tus).session { _ in await waitUntilCancelled() }, time: manual)
        let run = Task { [folder] in
            try await loader.upload(.file(film.file), resumingBy: .tus, state: folder.state).value
        }
        try await manual.advance(by: .seconds(30), sleeping: 1)
        let error = await #expect(throws: ServiceError.self) { try await run.value }
        #expect(error?.code == .timeout)
    }
}
