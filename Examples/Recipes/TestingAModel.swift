import Errand
import ErrandTesting
import Testing

@Test @MainActor func `what was shown stays where a reload fails`() async {
    let session = ScriptedSession([.json(#"[{"id":"a"}]"#), .failure(URLError(.notConnectedToInternet))])
    let model = APIModel(APILoader(GalleryAPI(environment: .production), session: session))
    model.load(GalleryQuery())
    await model.settled()
    model.reload()
    let state = await model.settled()
    #expect(state.value?.map(\.id) == ["a"] && state.error?.code == .connection)
}
