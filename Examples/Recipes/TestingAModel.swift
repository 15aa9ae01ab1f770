import Errand
import ErrandTesting
import Testing

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@Test @MainActor func `the photos stay when a reload fails`() async {
    let session = ScriptedSession([.json(#"[{"id":"a"}]"#), .failure(URLError(.notConnectedToInternet))])
    let model = APIModel(APILoader(GalleryAPI(environment: .production), session: session))
    model.load(GalleryQuery())
    await model.settled()
    model.reload()
    let state = await model.settled()
    #expect(state.value?.map(\.id) == ["a"] && state.error?.code == .connection)
}
