import Errand
import ErrandSupport
import Foundation
import TestSupport
import Testing

/// Uploads to the servers of other projects. `Tests/uploads.sh` starts them.
@Suite(.timeLimit(.minutes(2))) struct ResumableUploadServerTests {
    private static let tus = ProcessInfo.processInfo.environment["ERRAND_TUS"].flatMap { URL(string: $0) }
    private static let draft = ProcessInfo.processInfo.environment["ERRAND_UPLOADS"].flatMap { URL(string: $0) }

    private struct Erased: APISession {
        let inner: any APISession
        func send(_ request: APIRequest) async throws -> APIResponse { try await inner.send(request) }
    }

    /// Uploads a film, cancels the upload several times, and returns the value.
    private func upload(
        _ film: RequestBody, _ settings: ResumableUploadProtocol, to url: URL, _ session: Int, in folder: ScratchFolder
    ) async throws -> String {
        var settings = settings
        settings.backoff.base = .milliseconds(10)
        settings.attempts = 20
        var handler = FilmUpload(at: url)
        if session > 0 { handler.settings.idleTimeout = .seconds(1) * TestEnvironment.patience }
        let loader = APILoader(
            handler, session: Erased(inner: ResumableUploadIntegrationTests.sessions[session].session))
        for target in [1, 200_000, 700_000] as [Int64] {
            for try await event in loader.upload(film, resumingBy: settings, state: folder.state) {
                if case .progress(let progress) = event, progress.completed >= target { break }
                if case .finished(let value) = event { return value }
            }
            try await Soak.wait { try !folder.names().contains { $0.hasSuffix(".lock") } }
        }
        return try await loader.upload(film, resumingBy: settings, state: folder.state).value
    }

    @Test(
        .enabled(if: tus != nil, "ERRAND_TUS is not set"), arguments: ResumableUploadIntegrationTests.sessions.indices,
        [nil, 100_000] as [Int64?])
    func `tuspyserver stores the bytes of cancelled uploads`(session: Int, chunk: Int64?) async throws {
        let folder = try ScratchFolder()
        let film = try folder.film(1_000_000, name: "\(UUID().uuidString).mp4")
        let settings = chunk.map { ResumableUploadProtocol.tus(chunk: $0) } ?? .tus
        let value = try await upload(.file(film.file), settings, to: try #require(Self.tus), session, in: folder)
        #expect(value.hasPrefix("20"))
        #expect(try folder.names() == [film.file.lastPathComponent])
    }

    @Test(
        .enabled(if: draft != nil, "ERRAND_UPLOADS is not set"),
        arguments: ResumableUploadIntegrationTests.sessions.indices, [0, 1, 1_000_000])
    func `the server of the draft stores the bytes of cancelled uploads`(session: Int, size: Int) async throws {
        let folder = try ScratchFolder()
        let film = try folder.film(size, name: "\(UUID().uuidString).mp4")
        let value = try await upload(
            .file(film.file), .httpDraft, to: try #require(Self.draft), session, in: folder)
        let digest = SHA256.hash(film.bytes).hexadecimal
        #expect(value.contains(#"{"size": \#(size), "sha256": "\#(digest)"}"#))
        #expect(try folder.names() == [film.file.lastPathComponent])
    }
}
