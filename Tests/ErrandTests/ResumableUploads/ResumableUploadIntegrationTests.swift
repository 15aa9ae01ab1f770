import Errand
import ErrandLoopback
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Uploads over the real sessions to a server that loses connections.
@Suite(.timeLimit(.minutes(1))) struct ResumableUploadIntegrationTests {
    static let sessions: [(name: String, session: any APISession)] = [
        ("platform", PlatformSession.platform), ("URLSession", URLSession(configuration: .ephemeral)),
    ]

    private struct Erased: APISession {
        let inner: any APISession
        func send(_ request: APIRequest) async throws -> APIResponse { try await inner.send(request) }
    }

    private func loader(_ server: LoopbackServer, _ session: Int) -> APILoader<FilmUpload> {
        var film = FilmUpload(at: server.url.appending(path: "films"))
        // On Linux, a URLSession does not notice that the connection is lost after the last byte of a file.
        if session > 0 { film.settings.idleTimeout = .milliseconds(700) * TestEnvironment.patience }
        return APILoader(film, session: Erased(inner: Self.sessions[session].session))
    }

    @Test(arguments: ResumableUploadProtocol.all, sessions.indices)
    func `an upload survives lost connections`(kind: ResumableUploadProtocol, session: Int) async throws {
        let folder = try ScratchFolder()
        let film = try folder.film(1_500_000)
        let peer = UploadPeer(
            kind, [.lost(after: 500_000), .status(503, after: 100_001), .lost(after: 0), .removed, .lostResponse])
        var settings = kind
        settings.backoff.base = .milliseconds(1)
        try await LoopbackServer.withServer {
            peer.reply(to: $0)
        } _: { server in
            var progress: [TransferProgress] = []
            let events = loader(server, session)
                .upload(.file(film.file), resumingBy: settings, state: folder.state)
            for try await event in events {
                if case .progress(let step) = event { progress.append(step) }
            }
            #expect(progress.last?.completed == 1_500_000 && progress.last?.total == 1_500_000)
        }
        #expect(peer.stored == [film.bytes])
        #expect(try folder.names() == ["film.mp4"])
    }

    @Test(arguments: ResumableUploadProtocol.all, sessions.indices)
    func `a cancelled upload continues, and its progress too`(
        kind: ResumableUploadProtocol, session: Int
    ) async throws {
        let folder = try ScratchFolder()
        let film = try folder.film(1_500_000)
        let peer = UploadPeer(kind)
        var settings = kind
        settings.chunk = 524_288
        // The server does not respond to the third chunk of the first run.
        let isStalled = Locked(false)
        try await LoopbackServer.withServer { request in
            let stalls = isStalled.withLock { isStalled in
                guard !isStalled, peer.log.count == 3 else { return false }
                isStalled = true
                return true
            }
            return stalls ? .stall : peer.reply(to: request)
        } _: { server in
            let loader = loader(server, session)
            for try await event in loader.upload(.file(film.file), resumingBy: settings, state: folder.state) {
                guard case .progress(let step) = event, step.completed >= 1_048_576 else { continue }
                // The last byte of a chunk can be sent long before the server has received it.
                try await Soak.wait { isStalled.withLock { $0 } }
                break
            }
            // The run that was left ends soon after its last reference is released.
            try await Soak.wait { try folder.names() == ["film.mp4", "film.upload"] }
            var first: Int64?
            for try await event in loader.upload(.file(film.file), resumingBy: settings, state: folder.state) {
                if case .progress(let step) = event, step.total != nil { first = first ?? step.completed }
            }
            #expect(first ?? 0 >= 1_048_576)
        }
        #expect(peer.stored == [film.bytes] && peer.log.filter { $0.hasPrefix("POST") }.count == 1)
    }
}
