import Errand
import ErrandTesting
import GalleryCore
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct GalleryViewModelTests {
    private static let environment = GalleryEnvironment.staging(at: "http://gallery.test/v1")
    private static let next = "</v1/photos?page=9>; rel=\"next\""
    nonisolated private static let photo = GalleryModelTests.smallest

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a view model shows the response of a URLProtocol mock`() async throws {
        let stub = StubSession()
        stub.on(.get, "/v1/photos", reply: .json("[\(Self.photo)]"))
        let gallery = GalleryViewModel(environment: Self.environment, session: stub.urlSession)
        #expect(gallery.photos.isEmpty && !gallery.isLoading)
        gallery.load()
        #expect(gallery.isLoading)
        await gallery.settled()
        #expect(gallery.photos.count == 1 && gallery.message == nil && !gallery.isLoading && !gallery.hasMore)
        try stub.verify()
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a failed page shows the server's message and can be retried`() async throws {
        let session = ScriptedSession([
            CannedReply.json("[\(Self.photo)]").header("Link", Self.next),
            .json(#"{"errors":["Rate Limit Exceeded."]}"#, status: 403), .json("[\(Self.photo)]"), .status(500),
        ])
        let gallery = GalleryViewModel(environment: Self.environment, session: session, accessKey: Secret("k3y"))
        gallery.load()
        await gallery.settled()
        #expect(gallery.photos.count == 1 && gallery.hasMore)
        gallery.loadMore()
        await gallery.settled()
        #expect(gallery.message == "Rate Limit Exceeded." && gallery.photos.count == 1 && gallery.hasMore)
        gallery.loadMore()
        await gallery.settled()
        #expect(gallery.message == nil && gallery.photos.count == 2 && !gallery.hasMore)
        gallery.reload()
        await gallery.settled()
        #expect(gallery.message == "The server has a problem. Try again later." && gallery.photos.count == 2)
        #expect(session.recorded.map { $0.url?.query() } == [nil, "page=9", "page=9", nil])
        #expect(session.recorded.allSatisfy { $0.headers["Authorization"] == "Client-ID k3y" })
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a cancellation keeps the previous photos`() async {
        let session = ScriptedSession([.json("[\(Self.photo)]"), .stall])
        let gallery = GalleryViewModel(environment: Self.environment, session: session)
        gallery.load()
        await gallery.settled()
        gallery.reload()
        gallery.cancel()
        #expect(!gallery.isLoading && gallery.photos.count == 1 && gallery.message == nil)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `typing sends one search, and a blank text returns to the list`() async throws {
        let clock = ManualClock()
        let found = #"{"total":2,"total_pages":2,"results":[\#(Self.photo)]}"#
        let session = ScriptedSession([
            .json("[]"), CannedReply.json(found).header("Link", Self.next), .json(found),
        ])
        let gallery = GalleryViewModel(environment: Self.environment, session: session, time: clock)
        gallery.load()
        await gallery.settled()
        for text in ["d", "do", "dog", "dog "] { gallery.searchText = text }
        #expect(gallery.searchText == "dog " && gallery.isLoading && gallery.photos.isEmpty)
        while gallery.isLoading {
            clock.advance(by: GalleryViewModel.searchPause)
            await Task.yield()
        }
        #expect(gallery.photos.count == 1 && gallery.hasMore)
        gallery.loadMore()
        await gallery.settled()
        #expect(gallery.photos.count == 2 && !gallery.hasMore)
        #expect(session.recorded.map { $0.url?.query() } == [nil, "query=dog", "page=9"])
        gallery.searchText = ""
        #expect(gallery.photos.isEmpty && !gallery.isLoading)
        try session.verify()
    }
}
