import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// The state file of uploads.
@Suite(.timeLimit(.minutes(1))) struct ResumableUploadStateTests {
    private let folder: ScratchFolder
    private let peer = UploadPeer(.tus, [.lost(after: 100)])

    init() throws {
        folder = try ScratchFolder()
    }

    private func upload(
        _ film: RequestBody, _ kind: ResumableUploadProtocol = .tus, _ url: String = "https://api.test/films",
        over session: (any APISession)? = nil, trail: Trail.Recorder? = nil
    ) async throws -> String {
        var handler = try FilmUpload(url)
        handler.settings.trail = trail
        let session = Erased(inner: session ?? peer.session())
        let loader = APILoader(handler, session: session, time: InstantClock())
        return try await loader.upload(film, resumingBy: kind, state: folder.state).value
    }

    private struct Erased: APISession {
        let inner: any APISession
        func send(_ request: APIRequest) async throws -> APIResponse { try await inner.send(request) }
    }

    /// Interrupts an upload after 100 stored bytes.
    private func interrupt(_ film: RequestBody) async throws {
        var settings = ResumableUploadProtocol.tus
        settings.attempts = 1
        let error = await #expect(throws: ServiceError.self) { try await upload(film, settings) }
        #expect(error?.code == .connectionLost)
        try #require(FileManager.default.fileExists(atPath: folder.state.path))
    }

    @Test func `a changed file starts again`() async throws {
        let film = try folder.film(500)
        try await interrupt(.file(film.file))
        let changed = try folder.film(500, seed: 1)
        _ = try await upload(.file(changed.file))
        #expect(peer.stored == [changed.bytes] && peer.log.filter { $0.hasPrefix("POST") }.count == 2)
    }

    @Test func `a file with another date starts again`() async throws {
        let film = try folder.film(500)
        try await interrupt(.file(film.file))
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: film.file.path)
        _ = try await upload(.file(film.file))
        #expect(peer.log.filter { $0.hasPrefix("POST") }.count == 2)
    }

    @Test func `a file with another name continues`() async throws {
        let film = try folder.film(500)
        try await interrupt(.file(film.file))
        let other = folder.url.appending(path: "other.mp4")
        try FileManager.default.moveItem(at: film.file, to: other)
        _ = try await upload(.file(other))
        #expect(peer.stored == [film.bytes] && peer.log.filter { $0.hasPrefix("POST") }.count == 1)
    }

    @Test func `changed data starts again, and equal data continues`() async throws {
        try await interrupt(.data(Data(repeating: 1, count: 500)))
        _ = try await upload(.data(Data(repeating: 1, count: 500)))
        #expect(peer.log.filter { $0.hasPrefix("POST") }.count == 1)
        let other = UploadPeer(.tus, [.lost(after: 9)])
        var settings = ResumableUploadProtocol.tus
        settings.attempts = 1
        let film = RequestBody.data(Data(repeating: 1, count: 500))
        await #expect(throws: ServiceError.self) { try await upload(film, settings, over: other.session()) }
        _ = try await upload(.data(Data(repeating: 2, count: 500)), over: other.session())
        #expect(other.log.filter { $0.hasPrefix("POST") }.count == 2)
    }

    @Test func `another creation URL starts again, but not another secret`() async throws {
        let film = RequestBody.data(Data(repeating: 1, count: 500))
        var settings = ResumableUploadProtocol.tus
        settings.attempts = 1
        let tokens = ["https://api.test/films?a=1&token=x", "https://api.test/films?a=1&token=y"]
        await #expect(throws: ServiceError.self) { try await upload(film, settings, tokens[0]) }
        #expect(try !String(contentsOf: folder.state, encoding: .utf8).contains("token=x"))
        await #expect(throws: ServiceError.self) {
            try await upload(film, settings, tokens[1], over: Erased(inner: ScriptedSession([.stall])))
        }
        #expect(peer.log.filter { $0.hasPrefix("POST") }.count == 1)
        _ = try await upload(film, .tus, "https://api.test/films?a=2")
        #expect(peer.log.filter { $0.hasPrefix("POST") }.count == 2)
    }

    static let damaged: [(name: String, bytes: Data)] = [
        ("empty", Data()), ("text", Data("hello".utf8)), ("an array", Data("[1]".utf8)), ("bytes", Data([0xFF, 0, 1])),
        ("large", Data(repeating: UInt8(ascii: "["), count: 2_000_000)),
        ("a later version", Data(#"{"version":3,"protocol":"tus"}"#.utf8)),
        (
            "version 1",
            Data(
                #"{"version":1,"protocol":"tus","creation":"https://api.test/films","upload":"/files/1"}"#.utf8)
        ),
        ("wrong types", Data(#"{"version":"1"}"#.utf8)),
        ("a huge number", Data(#"{"version":1e400}"#.utf8)),
    ]

    @Test(arguments: damaged.indices)
    func `a damaged state file starts again, and the trail says so`(index: Int) async throws {
        try Self.damaged[index].bytes.write(to: folder.state)
        let film = try folder.film(500)
        let recorder = Trail.Recorder()
        _ = try await upload(.file(film.file), over: UploadPeer(.tus).session(), trail: recorder)
        #expect("\(recorder.trail)".contains("starts again: the state file is damaged or has another version"))
        #expect(try folder.names() == ["film.mp4"])
    }

    @Test func `a state of another version starts again`() async throws {
        let film = try folder.film(500)
        try await interrupt(.file(film.file))
        let text = try String(contentsOf: folder.state, encoding: .utf8)
        let changed = text.replacing(#""version":\#(UploadState.version)"#, with: #""version":1"#)
        try #require(changed != text)
        try Data(changed.utf8).write(to: folder.state)
        _ = try await upload(.file(film.file))
        #expect(peer.log.filter { $0.hasPrefix("POST") }.count == 2)
    }

    @Test func `a state of another protocol or with an unsafe URL starts again`() async throws {
        let film = try folder.film(500)
        try await interrupt(.file(film.file))
        let text = try String(contentsOf: folder.state, encoding: .utf8)
        for (old, new) in [
            (#""tus""#, #""http-draft""#), (#"https:\/\/api.test\/files"#, #"http:\/\/api.test\/files"#),
        ] {
            let changed = text.replacing(old, with: new)
            try #require(changed != text)
            try Data(changed.utf8).write(to: folder.state)
            let recorder = Trail.Recorder()
            let fresh = UploadPeer(.tus)
            _ = try await upload(.file(film.file), over: fresh.session(), trail: recorder)
            #expect("\(recorder.trail)".contains("starts again: the state file is of another content"))
            #expect(fresh.log.first == "POST /films")
        }
    }

    @Test(arguments: [(400, false), (401, true), (403, true), (404, false), (409, true), (413, false), (503, true)])
    func `a rejection removes the state, unless a later run can continue`(status: Int, keeps: Bool) async throws {
        let film = try folder.film(500)
        let peer = UploadPeer(.tus)
        let session = peer.session { request in
            if request.method == .post { peer.fail(with: nil) } else { peer.fail(with: status) }
        }
        let error = await #expect(throws: ServiceError.self) { try await upload(.file(film.file), over: session) }
        #expect(error?.status == status && error?.code == .status)
        #expect(try folder.names().contains("film.upload") == keeps)
    }

    @Test func `a second upload with the same state file is an error`() async throws {
        let film = try folder.film(500)
        let (sent, started) = AsyncStream<Void>.makeStream()
        let stalling = UploadPeer(.tus).session { _ in
            started.finish()
            await waitUntilCancelled()
        }
        let first = Task { try await upload(.file(film.file), over: stalling) }
        for await _ in sent {}
        let error = await #expect(throws: ServiceError.self) { try await upload(.file(film.file)) }
        #expect(error?.code == .file && peer.log == [])
        first.cancel()
        _ = await first.result
        _ = try await upload(.file(film.file))
        #expect(peer.stored == [film.bytes])
    }

    @Test func `many uploads with one state file never overlap`() async throws {
        let film = try folder.film(50)
        let running = Locked((now: 0, most: 0))
        let peer = UploadPeer(.tus)
        let session = peer.session { request in
            guard request.method == .patch else { return }
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 1...20 { await Task.yield() }
            running.withLock { $0.now -= 1 }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...200 { group.addTask { _ = try? await upload(.file(film.file), over: session) } }
        }
        #expect(running.withLock { $0.most } == 1)
        #expect(try folder.names() == ["film.mp4"])
    }

    @Test func `the state file cannot be the content, and needs a folder`() async throws {
        let film = try folder.film(5)
        let loader = APILoader(try FilmUpload(), session: ScriptedSession([]))
        for (state, code) in [
            (film.file, ServiceError.Code.configuration), (URL(filePath: "/missing/film.upload"), .file),
            (try ErrorScene.url("https://api.test/"), .file), (folder.url, .file),
        ] {
            let error = await #expect(throws: ServiceError.self) {
                try await loader.upload(.file(film.file), resumingBy: .tus, state: state).value
            }
            #expect(error?.code == code)
        }
        #expect(try Data(contentsOf: film.file) == film.bytes)
    }
}
