import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RecordingRecipeTests {
    @Test func `photos are recorded and replayed`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "gallery.har")
        let recorded = try await recordPhotos(over: ScriptedSession([.json(#"[{"id":"a"}]"#)]), to: file)
        #expect(try await replayPhotos(from: file) == recorded && recorded.map(\.id) == ["a"])
    }

    @Test func `a failure is reported with its requests`() async throws {
        let folder = FileManager.default.temporaryDirectory
        let session = recordedSession(over: ScriptedSession { _ in .status(500) })
        let loader = APILoader(GalleryAPI(environment: .production), session: session, time: InstantClock())
        let error = try #require(await #expect(throws: ServiceError.self) { try await loader.load(GalleryQuery()) })
        let file = try #require(try report(error, to: folder))
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try HTTPArchive(contentsOf: file).entries.last?.response?.status == 500)
        #expect(try report(ServiceError(.timeout, "late"), to: folder) == nil)
    }
}
