import Errand
import ErrandTesting
import ShortGallery
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct GalleryExampleTests {
    @Test @MainActor func `the view model keeps loaded photos when a page fails`() async throws {
        let photo = #"[{"id":"a","description":null,"urls":{"small":"https://p.test/a"}}]"#
        let session = ScriptedSession([.json(photo), .json("<html>")])
        let model = GalleryViewModel(.production, urlSession: session)
        try await model.fetchGallery(page: 1)
        let error = await #expect(throws: ServiceError.self) { try await model.fetchGallery(page: 2) }
        #expect(error?.code == .decoding && model.photos.map(\.id) == ["a"])
        #expect(session.recorded.first?.url?.absoluteString == "https://api.unsplash.com/photos?page=1&per_page=2")
    }
}
