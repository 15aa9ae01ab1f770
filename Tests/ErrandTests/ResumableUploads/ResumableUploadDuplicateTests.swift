import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Uploads that are or may be complete are not sent a second time.
@Suite(.timeLimit(.minutes(1))) struct ResumableUploadDuplicateTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func upload(
        _ film: URL, _ settings: ResumableUploadProtocol, over session: some APISession
    ) async throws -> String {
        let loader = APILoader(try FilmUpload(), session: session, time: InstantClock())
        return try await loader.upload(.file(film), resumingBy: settings, state: folder.state).value
    }

    private func creations(_ peer: UploadPeer) -> Int { peer.log.filter { $0.hasPrefix("POST") }.count }

    @Test(arguments: ResumableUploadProtocol.all, [1, 5])
    func `an upload that may be complete is not sent again`(
        kind: ResumableUploadProtocol, attempts: Int
    ) async throws {
        let film = try folder.film(600_000)
        let peer = UploadPeer(kind, [.lost(after: 300_000), .lostUpload])
        var settings = kind
        (settings.chunk, settings.attempts) = (400_000, attempts)
        var codes: [ServiceError.Code] = []
        while codes.last != .responseLost, codes.count < 9 {
            let error = await #expect(throws: ServiceError.self) {
                try await upload(film.file, settings, over: peer.session())
            }
            codes.append(try #require(error).code)
        }
        #expect(codes.dropLast().allSatisfy { $0 == .connectionLost })
        #expect(codes.count == (attempts == 1 ? 3 : 1))
        #expect(creations(peer) == 1 && peer.stored == [film.bytes])
        // The error has removed the state, so that the caller can decide.
        #expect(try folder.names() == ["film.mp4"])
        _ = try await upload(film.file, settings, over: peer.session())
        #expect(creations(peer) == 2 && peer.stored == [film.bytes, film.bytes])
    }

    @Test(arguments: ResumableUploadProtocol.all)
    func `a run that ends with the last bytes leaves a warning for the next run`(
        kind: ResumableUploadProtocol
    ) async throws {
        let film = try folder.film(500)
        let peer = UploadPeer(kind)
        let (sent, started) = AsyncStream<Void>.makeStream()
        let stalling = peer.session { _ in
            guard peer.log.count == 1 else { return }
            started.finish()
            await waitUntilCancelled()
            try Task.checkCancellation()
        }
        let run = Task { try await upload(film.file, kind, over: stalling) }
        for await _ in sent {}
        run.cancel()
        _ = await run.result
        peer.fail(with: 410)
        let error = await #expect(throws: ServiceError.self) {
            try await upload(film.file, kind, over: peer.session())
        }
        #expect(error?.code == .responseLost && error?.request?.path == "/films")
        #expect(try folder.names() == ["film.mp4"])
    }

    private static let created = CannedReply.status(201).header("Location", "/files/1")
    private static let refused = CannedReply.failure(URLError(.cannotConnectToHost))

    static let incomplete: [(name: String, replies: [CannedReply], attempts: Int)] = [
        ("the last bytes are rejected", [created, .status(401)], 2),
        ("the last bytes are not sent", [created, refused], 1),
        ("no new upload is created", [created, .status(404), .status(503), .status(503)], 2),
    ]

    @Test(arguments: incomplete.indices)
    func `an upload that was incomplete is created again after its removal`(index: Int) async throws {
        let film = try folder.film(500)
        let (_, replies, attempts) = Self.incomplete[index]
        var settings = ResumableUploadProtocol.tus
        settings.attempts = attempts
        let first = ScriptedSession(replies)
        await #expect(throws: ServiceError.self) { try await upload(film.file, settings, over: first) }
        #expect(first.recorded.count == replies.count)
        #expect(try folder.names() == ["film.mp4", "film.upload"])
        let later = ScriptedSession([.status(404), Self.created, .status(204).header("Upload-Offset", "500")])
        _ = try await upload(film.file, settings, over: later)
        #expect(later.recorded.map(\.method) == [.head, .post, .patch])
    }

    @Test func `a complete upload without its response is not sent again`() async throws {
        let film = try folder.film(500)
        let peer = UploadPeer(.httpDraft, [.lostResponse])
        let asked = Locked(false)
        let session = peer.session { request in
            if asked.withLock({ $0 }) { peer.fail(with: 400) }
            if request.method == .head { asked.withLock { $0 = true } }
        }
        let error = await #expect(throws: ServiceError.self) {
            try await upload(film.file, .httpDraft, over: session)
        }
        #expect(error?.code == .responseLost && error?.reason.contains("complete upload, found status 400") == true)
        #expect(creations(peer) == 1 && peer.stored == [film.bytes])
        #expect(try folder.names() == ["film.mp4"])
    }

    @Test(arguments: ResumableUploadProtocol.all)
    func `an unusable stored upload does not prevent a new one`(kind: ResumableUploadProtocol) async throws {
        let film = try folder.film(500)
        let first = UploadPeer(kind, [.lost(after: 100)], location: "https://up.test")
        var settings = kind
        settings.attempts = 1
        await #expect(throws: ServiceError.self) { try await upload(film.file, settings, over: first.session()) }
        let second = UploadPeer(kind, [.lost(after: 100)])
        let session = second.session { request in
            second.fail(with: request.url?.host() == "up.test" ? 403 : nil)
        }
        settings.attempts = 5
        let error = await #expect(throws: ServiceError.self) {
            try await upload(film.file, settings, over: session)
        }
        // The last bytes were sent before the interruption.
        #expect(error?.code == .responseLost)
        _ = try await upload(film.file, settings, over: session)
        #expect(second.stored == [film.bytes])
    }
}
