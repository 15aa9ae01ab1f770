import Errand
import ErrandSupport
import ErrandTesting
import Observation
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct APIModelTests {
    private let clock = ManualClock()

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    private func model(_ session: some APISession) -> APIModel<ListAPI> {
        APIModel(APILoader(ListAPI(), session: session, time: clock), more: .numbered(\.page))
    }

    private static func page(_ text: String, hasNext: Bool = false) -> CannedReply {
        let reply = CannedReply.json(#"["\#(text)"]"#)
        return reply.header("Link", "<?page=9>; rel=\"\(hasNext ? "next" : "last")\"")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a load goes from idle through loading to its value`() async {
        let model = model(ScriptedSession([Self.page("a"), .status(500)]))
        #expect(model.state == .idle)
        model.load(.init("x"))
        #expect(model.state == .loading(previous: nil))
        let loaded = await model.settled()
        #expect(loaded == .loaded(["a"]))
        model.reload()
        #expect(model.state == .loading(previous: ["a"]))
        let failed = await model.settled()
        #expect(failed.error?.status == 500 && failed.value == ["a"] && !failed.isLoading)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a late response of a replaced load is ignored`() async {
        let session = HeldSession()
        let model = model(session)
        model.load(.init("old"))
        await until { session.arrived == 1 }
        model.load(.init("new"))
        await until { session.arrived == 2 }
        session.release("/new/1")
        let state = await model.settled()
        #expect(state == .loaded(["/new/1"]))
        session.release("/old/1")
        await until { model.endedCalls == 2 }
        #expect(model.state == .loaded(["/new/1"]))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `debounced loads restart the delay and send only the last`() async throws {
        let session = ScriptedSession([Self.page("cat")])
        let model = model(session)
        for text in ["c", "ca", "cat"] {
            model.load(.init(text), debounce: .milliseconds(300))
            #expect(model.state.isLoading)
            try await clock.advance(by: .milliseconds(299), sleeping: 1)
        }
        #expect(session.recorded.isEmpty)
        await until { model.endedCalls == 2 }
        #expect(clock.sleepers == 1)
        clock.advance(by: .milliseconds(1))
        let state = await model.settled()
        #expect(state == .loaded(["cat"]) && session.recorded.map(\.path) == ["/cat/1"])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a debounced load cancels the older one at once`() async throws {
        let session = ScriptedSession([.stall, Self.page("b")])
        let model = model(session)
        model.load(.init("a"))
        try await clock.waitForSleepers(1)
        model.load(.init("b"), debounce: .seconds(1))
        await until { model.endedCalls == 1 }
        try await clock.advance(by: .seconds(1), sleeping: 1)
        let state = await model.settled()
        #expect(state == .loaded(["b"]))
        try session.verify()
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test(arguments: [Duration.zero, .seconds(1)])
    func `cancelling restores the previous state`(debounce: Duration) async throws {
        let model = model(ScriptedSession([Self.page("a"), .stall]))
        model.load(.init("a"))
        await model.settled()
        model.load(.init("b"), debounce: debounce)
        try await clock.waitForSleepers(1)
        model.cancel()
        #expect(model.state == .loaded(["a"]))
        await until { model.endedCalls == 2 }
        #expect(model.state == .loaded(["a"]) && clock.sleepers == 0)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a cancellation by the session is shown as a failure`() async {
        let model = model(ScriptedSession([.failure(URLError(.cancelled))]))
        model.load(.init("a"))
        let state = await model.settled()
        #expect(state.error?.code == .cancelled && !state.isLoading)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `pages are appended until a response has no next link`() async {
        let session = ScriptedSession([Self.page("a", hasNext: true), .status(503), Self.page("b")])
        let model = model(session)
        #expect(!model.canLoadMore)
        model.load(.init("x"))
        model.loadMore()
        await model.settled()
        #expect(model.canLoadMore)
        model.loadMore()
        model.loadMore()
        let failed = await model.settled()
        #expect(failed.error?.status == 503 && failed.value == ["a"] && model.canLoadMore)
        model.loadMore()
        let state = await model.settled()
        #expect(state == .loaded(["a", "b"]) && !model.canLoadMore)
        model.loadMore()
        #expect(!model.state.isLoading && session.recorded.map(\.path) == ["/x/1", "/x/2", "/x/2"])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test(arguments: [(nil, 2), (1, 2), (7, 8), (-1, 0), (Int.max, nil)] as [(Int?, Int?)])
    func `the next page number follows the last`(page: Int?, next: Int?) throws {
        let more = APIModel<ListAPI>.More.numbered(\.page)
        let url = try #require(URL(string: "http://h.test/"))
        let head = ResponseHead(status: 200, headers: ["Link": "</2>; rel=next"], url: url)
        #expect(try more.next(.init("x", page: page), Loaded(value: [], head: head))?.page == next)
        #expect(try more.next(.init("x"), Loaded(value: [], head: ResponseHead(status: 200, url: url))) == nil)
    }
}

@MainActor @Suite(.timeLimit(.minutes(1))) struct APIModelLifeTests {
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `releasing the model cancels its call`() async throws {
        let clock = ManualClock()
        let session = ScriptedSession([.stall])
        var model: APIModel<ListAPI>? = APIModel(APILoader(ListAPI(), session: session, time: clock))
        weak let dropped = model
        model?.load(.init("a"))
        try await clock.waitForSleepers(1)
        model = nil
        #expect(dropped == nil)
        await until { clock.sleepers == 0 }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `cancelling a waiter does not cancel the load`() async {
        let session = HeldSession()
        let model = APIModel(APILoader(ListAPI(), session: session))
        model.load(.init("a"))
        await until { session.arrived == 1 }
        let waiters = (0..<3).map { _ in Task { await model.settled() } }
        waiters[0].cancel()
        let early = await waiters[0].value
        #expect(early.isLoading && model.state.isLoading)
        session.release("/a/1")
        for waiter in waiters.dropFirst() {
            let state = await waiter.value
            #expect(state == .loaded(["/a/1"]))
        }
        let state = await model.settled()
        #expect(state == .loaded(["/a/1"]))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a waiter keeps waiting when a newer load starts`() async {
        let session = HeldSession()
        let model = APIModel(APILoader(ListAPI(), session: session))
        model.load(.init("a"))
        await until { session.arrived == 1 }
        let waiter = Task { await model.settled() }
        await Task.yield()
        model.cancel()
        model.load(.init("b"))
        await until { session.arrived == 2 }
        session.release("/a/1")
        session.release("/b/1")
        let state = await waiter.value
        #expect(state == .loaded(["/b/1"]))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `observers receive every change but no late response`() async {
        let session = HeldSession()
        let model = APIModel(APILoader(ListAPI(), session: session))
        let changes = Locked(0)
        @MainActor func observe() {
            withObservationTracking {
                _ = model.state
            } onChange: {
                changes.withLock { $0 += 1 }
            }
        }
        observe()
        model.load(.init("a"))
        await until { session.arrived == 1 }
        #expect(changes.withLock { $0 } == 1)
        observe()
        model.cancel()
        #expect(changes.withLock { $0 } == 2)
        observe()
        session.release("/a/1")
        await until { model.endedCalls == 1 }
        #expect(changes.withLock { $0 } == 2)
    }
}
