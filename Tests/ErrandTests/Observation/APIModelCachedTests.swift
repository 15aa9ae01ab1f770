import Errand
import ErrandTesting
import Testing

/// Loads that show a stored value first.
@MainActor @Suite(.timeLimit(.minutes(1))) struct APIModelCachedTests {
    private let clock = ManualClock()
    private let store = MemoryCacheStore()
    private let session = HeldSession()

    /// Stores a response to the request for `/x/1`, which is fresh for a minute, and waits.
    private func store(
        _ reply: CannedReply = .json(#"["stored"]"#), waiting time: Duration, control: String = "max-age=60"
    ) async {
        let reply = reply.header("Cache-Control", control).header("Link", "<?page=2>; rel=next")
        let session = ScriptedSession([reply]).cached(in: store)
        _ = try? await APILoader(ListAPI(), session: session, time: clock).load(.init("x"))
        clock.advance(by: time)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    private func model() -> APIModel<ListAPI> {
        APIModel(APILoader(ListAPI(), session: session.cached(in: store), time: clock), more: .numbered(\.page))
    }

    /// Returns a model that shows a stale value while its request is in progress.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    private func staleModel() async -> APIModel<ListAPI> {
        await store(waiting: .seconds(100))
        let model = model()
        model.load(.init("x"), showingCached: true)
        await until { session.arrived == 1 }
        return model
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a stale value is shown with its age until the response`() async {
        let model = await staleModel()
        #expect(model.state == .loading(previous: ["stored"]) && model.cacheAge == .seconds(100))
        #expect(!model.canLoadMore)
        session.release("/x/1")
        #expect(await model.settled() == .loaded(["/x/1"]))
        #expect(model.cacheAge == nil && session.arrived == 1)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `the response replaces a stale value that stale-while-revalidate allows`() async {
        await store(waiting: .seconds(100), control: "max-age=60, stale-while-revalidate=1000")
        let model = model()
        model.load(.init("x"), showingCached: true)
        await until { session.arrived == 1 }
        #expect(model.state == .loading(previous: ["stored"]))
        session.release("/x/1")
        #expect(await model.settled() == .loaded(["/x/1"]))
        #expect(model.cacheAge == nil && session.arrived == 1)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a failed refresh keeps the stale value and its age`() async throws {
        let model = await staleModel()
        session.release(try #require(session.held.first), with: nil)
        let state = await model.settled()
        #expect(state.value == ["stored"] && state.error?.code == .connectionLost)
        #expect(model.cacheAge == .seconds(100) && model.canLoadMore)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `cancelling keeps the stale value, and a late response is ignored`() async {
        let model = await staleModel()
        model.cancel()
        #expect(model.state == .loaded(["stored"]) && model.cacheAge == .seconds(100))
        session.release("/x/1")
        await until { model.endedCalls == 1 }
        #expect(model.state == .loaded(["stored"]) && model.cacheAge == .seconds(100))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a newer load replaces the refresh of a stale value`() async {
        let model = await staleModel()
        model.load(.init("y"), showingCached: true)
        #expect(model.state == .loading(previous: ["stored"]))
        await until { session.arrived == 2 }
        session.release("/x/1")
        await until { model.endedCalls == 1 }
        #expect(model.state == .loading(previous: ["stored"]))
        session.release("/y/1")
        #expect(await model.settled() == .loaded(["/y/1"]))
        #expect(model.cacheAge == nil)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a fresh value is loaded without a request`() async {
        await store(waiting: .seconds(10))
        let model = model()
        model.load(.init("x"), showingCached: true)
        #expect(await model.settled() == .loaded(["stored"]))
        #expect(model.cacheAge == .seconds(10) && model.canLoadMore && session.arrived == 0)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `the age of a list is that of its oldest page`() async {
        await store(waiting: .seconds(10))
        let model = model()
        model.load(.init("x"), showingCached: true)
        await model.settled()
        model.loadMore()
        await until { session.arrived == 1 }
        session.release("/x/2")
        #expect(await model.settled() == .loaded(["stored", "/x/2"]))
        #expect(model.cacheAge == .seconds(10))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test(arguments: [true, false])
    func `a missing value or a stored error is not shown`(hasError: Bool) async {
        if hasError { await store(.status(404), waiting: .seconds(100)) }
        let model = model()
        model.load(.init("x"), showingCached: true)
        await until { session.arrived == 1 }
        #expect(model.state == .loading(previous: nil) && model.cacheAge == nil)
        session.release("/x/1")
        #expect(await model.settled() == .loaded(["/x/1"]))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a reload and a load without the option show no stored value`() async {
        await store(waiting: .seconds(100))
        let model = model()
        model.load(.init("x"))
        await until { session.arrived == 1 }
        #expect(model.state == .loading(previous: nil))
        model.reload()
        await until { session.arrived == 2 }
        #expect(model.state == .loading(previous: nil))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test(arguments: [200, 500])
    func `a session without a cache sends one request`(status: Int) async {
        let session = ScriptedSession([.json(#"["a"]"#, status: status)])
        let model = APIModel(APILoader(ListAPI(), session: session, time: clock))
        model.load(.init("x"), showingCached: true)
        let state = await model.settled()
        #expect(state.value == (status == 200 ? ["a"] : nil) && state.error?.status == (status == 200 ? nil : 500))
        #expect(session.recorded.count == 1 && model.cacheAge == nil)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a stored page of a linked list is shown first`() async {
        let replies = ["1", "2"].map { PagesTests.reply($0, next: "?cursor=b").header("Cache-Control", "max-age=60") }
        let session = ScriptedSession(replies)
        let loader = APILoader(PagesTests.Linked(), session: session.cached(in: store), time: clock)
        _ = try? await loader.load(1)
        clock.advance(by: .seconds(30))
        let model = APIModel(pagesOf: loader)
        model.load(1, showingCached: true)
        #expect(await model.settled() == .loaded([1]))
        #expect(model.cacheAge == .seconds(30) && model.canLoadMore && session.recorded.count == 1)
    }
}
