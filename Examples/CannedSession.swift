import Errand
import Testing

struct Canned: APISession {
    func send(_ request: APIRequest) async throws -> APIResponse {
        try APIResponse(to: request, status: 200, body: #"[{"id":"a"}]"#)
    }
}

@Test func `photos load`() async throws {
    let loader = APILoader(GalleryAPI(environment: .production), session: Canned())
    let photos = try await loader.load(GalleryQuery())
    #expect(photos.map(\.id) == ["a"])
}
