import Errand
import ErrandTesting
import TestSupport
import Testing

/// A model of a list with links between its pages.
@MainActor @Suite(.timeLimit(.minutes(1))) struct APIModelPagesTests {
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    private func model(
        _ replies: [CannedReply], _ policy: PagingPolicy = PagingPolicy()
    ) -> (APIModel<PagesTests.Linked>, ScriptedSession) {
        let session = ScriptedSession(replies)
        return (APIModel(pagesOf: APILoader(PagesTests.Linked(), session: session), policy: policy), session)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `more follows the links until the last page`() async {
        let (model, session) = model([
            PagesTests.reply("1", next: "?cursor=b"), .status(503), PagesTests.reply("2"),
        ])
        model.load(1)
        #expect(await model.settled().value == [1])
        model.loadMore()
        #expect(await model.settled().error?.status == 503)
        #expect(model.state.value == [1] && model.canLoadMore)
        model.loadMore()
        #expect(await model.settled() == .loaded([1, 2]))
        #expect(!model.canLoadMore)
        #expect(session.recorded.map { $0.url?.query() } == ["page=1", "cursor=b", "cursor=b"])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test(arguments: ["http://evil.test/list", "http://["])
    func `an invalid link is an error when it is loaded`(link: String) async {
        let (model, session) = model([PagesTests.reply("1", next: link)])
        model.load(1)
        await model.settled()
        #expect(model.state == .loaded([1]) && model.canLoadMore)
        model.loadMore()
        await model.settled()
        #expect(model.state.error?.code == .badResponse && model.state.value == [1])
        #expect(session.recorded.count == 1)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a page that was shown is not loaded again`() async {
        let (model, session) = model([
            PagesTests.reply("1", next: "?page=2"), PagesTests.reply("2", next: "?page=1"), PagesTests.reply("1"),
        ])
        model.load(1)
        await model.settled()
        for _ in 1...3 {
            model.loadMore()
            await model.settled()
        }
        #expect(model.state.value == [1, 2] && model.state.error?.code == .badResponse)
        model.reload()
        await model.settled()
        #expect(model.state == .loaded([1]) && session.recorded.count == 3)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `pages beyond the limit are not offered`() async {
        let (model, _) = model(
            [PagesTests.reply("1", next: "?page=2"), PagesTests.reply("2", next: "?page=3")], PagingPolicy(pageLimit: 2)
        )
        model.load(1)
        await model.settled()
        model.loadMore()
        #expect(await model.settled() == .loaded([1, 2]))
        #expect(!model.canLoadMore)
    }
}
