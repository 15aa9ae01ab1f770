import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// The parts of a request that determine whether a stored upload continues.
@Suite(.timeLimit(.minutes(1))) struct UploadStateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let isSame: Bool
        var kind = ResumableUploadProtocol.googleSession
        var before: @Sendable (inout FilmUpload) -> Void = { _ in }
        let change: @Sendable (inout FilmUpload) -> Void
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "another method", isSame: false) { $0.method = "PUT" },
        Row(name: "other metadata", isSame: false) { $0.metadata = Data(#"{"name":"b","year":1}"#.utf8) },
        Row(name: "other metadata that is not JSON", isSame: false) { $0.metadata = Data("a".utf8) },
        Row(name: "metadata in another order", isSame: true) { $0.metadata = Data(#"{"year":1, "name":"a"}"#.utf8) },
        Row(name: "another type of the content", isSame: false) { $0.headers["X-Upload-Content-Type"] = "video/webm" },
        Row(name: "another content type", isSame: false, kind: .tus) { $0.headers["Content-Type"] = "video/webm" },
        Row(name: "another file name", isSame: false, kind: .httpDraft) {
            $0.headers["Content-Disposition"] = "inline; filename=a"
        },
        Row(name: "other tus metadata", isSame: false, kind: .tus) { $0.headers["Upload-Metadata"] = "filename YQ==" },
        Row(name: "another user agent", isSame: true) { $0.headers["User-Agent"] = "App/2" },
        Row(name: "another idempotency key", isSame: true) { $0.headers["Idempotency-Key"] = "2" },
        Row(name: "another account", isSame: false) { $0.settings.identity = "account-2" },
        Row(
            name: "another token of one account", isSame: true, before: { $0.settings.identity = "account-1" },
            change: {
                $0.settings.identity = "account-1"
                $0.headers["Authorization"] = "Bearer token-2"
            }),
        Row(name: "another token of an unknown account", isSame: false) {
            $0.headers["Authorization"] = "Bearer token-2"
        },
        Row(name: "another cookie of an unknown account", isSame: false) { $0.headers["Cookie"] = "sid=2" },
    ]

    @Test(arguments: rows)
    func `a stored upload continues only for the same request and account`(row: Row) async throws {
        let folder = try ScratchFolder()
        let film = try folder.film(500)
        let peer = UploadPeer(row.kind, [.lost(after: 100)])
        var settings = row.kind
        settings.attempts = 1
        var handler = try FilmUpload()
        handler.headers["Authorization"] = "Bearer token-1"
        if row.kind == .googleSession { handler.metadata = Data(#"{"name":"a","year":1}"#.utf8) }
        row.before(&handler)
        let upload = { [settings] (handler: FilmUpload) async throws in
            let loader = APILoader(handler, session: peer.session(), time: InstantClock())
            _ = try await loader.upload(.file(film.file), resumingBy: settings, state: folder.state).value
        }
        await #expect(throws: ServiceError.self) { try await upload(handler) }
        let state = try String(contentsOf: folder.state, encoding: .utf8)
        #expect(!state.contains("token-1") && !state.contains("account-1") && !state.contains("year"))
        row.change(&handler)
        try await upload(handler)
        #expect(peer.log.filter { !$0.hasPrefix("HEAD") && !$0.contains("/files/") }.count == (row.isSame ? 1 : 2))
        #expect(peer.stored == [film.bytes])
    }
}
