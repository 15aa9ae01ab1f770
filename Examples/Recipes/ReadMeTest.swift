import Errand
import ErrandTesting
import Testing

@Test func `photos of a page are decoded`() async throws {
    let session = ScriptedSession([.json(#"[{"id":"a"}]"#)])
    let photos = try await APILoader(PhotosAPI(), session: session).load(2)
    #expect(photos.map(\.id) == ["a"])
    #expect(session.recorded.map(\.url?.absoluteString) == ["http://127.0.0.1:8080/photos?page=2"])
}
