import Errand
import ErrandTesting
import Testing

@Suite struct ModelRecipeTests {
    @Test @MainActor func `a controller receives its photos on the main actor`() async {
        let controller = GalleryController()
        controller.reload(
            APILoader(GalleryAPI(environment: .production), session: ScriptedSession([.json(#"[{"id":"a"}]"#)])))
        while controller.photos.isEmpty { await Task.yield() }
        #expect(controller.photos.map(\.id) == ["a"])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test @MainActor func `a search while typing shows its results`() async {
        let session = ScriptedSession([.json(#"[{"id":"a"},{"id":"b"}]"#)])
        let search = PhotoSearch(APILoader(SearchAPI(environment: .production), session: session))
        let text = await search.type("dog")
        #expect(text == "2 photos" && search.model.state.value?.count == 2)
        #expect(session.recorded.map { $0.url?.query() } == ["text=dog"])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test(arguments: [true, false]) @MainActor
    func `pages are appended until a link or an empty page ends them`(hasLinks: Bool) async {
        let pages: [CannedReply] = [.json(#"[{"id":"a"}]"#), .json(#"[{"id":"b"}]"#)]
        let session = ScriptedSession(
            hasLinks
                ? [
                    pages[0].header("Link", "</v1/photos?page=2>; rel=next"),
                    pages[1].header("Link", "</v1/photos?page=1>; rel=prev"),
                ] : pages + [.json("[]")])
        let model = APIModel(
            APILoader(GalleryAPI(environment: .production), session: session), more: .numbered(\.page))
        model.load(GalleryQuery())
        await model.settled()
        #expect(model.canLoadMore)
        model.loadMore()
        #expect(await model.settled().value?.map(\.id) == ["a", "b"])
        #expect(model.canLoadMore != hasLinks)
        model.loadMore()
        #expect(await model.settled().value?.map(\.id) == ["a", "b"])
        #expect(!model.canLoadMore && session.recorded.count == (hasLinks ? 2 : 3))
    }
}
