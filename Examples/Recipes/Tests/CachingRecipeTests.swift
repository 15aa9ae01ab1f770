import Errand
import ErrandTesting
import Foundation
import Testing

@Suite struct CachingRecipeTests {
    @Test func `the second call uses the stored response`() async throws {
        let session = ScriptedSession([.json("[]").header("Cache-Control", "max-age=60")])
        let ages = try await loadTwice(over: session)
        let second = try #require(ages.second)
        #expect(ages.first == nil && second >= .zero && session.recorded.count == 1)
    }

    @Test func `a reload is sent and replaces the stored response`() async throws {
        let names = ["Ada", "Bo", "Cy"]
        let session = ScriptedSession(
            names.map { .json(#"{"id":"7","name":"\#($0)"}"#).header("Cache-Control", "max-age=60") })
        let client = APIClient(
            environment: ShopEnvironment.production, session: session.cached(in: MemoryCacheStore()))
        #expect(try await client.request(.customer("7")).name == "Ada")
        #expect(try await reload("7", with: client).name == "Bo")
        #expect(try await client.request(.customer("7")).name == "Bo")
        #expect(session.recorded.count == 2)
    }

    @Test func `the stored responses of accounts are separate, and remain on disk`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "errand-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let api = try #require(URL(string: "https://api.gallery.example"))
        let script = ScriptedSession { _ in .json("[]").header("Cache-Control", "max-age=60") }
        for account: Credentials.Identity in ["ada", "bo", "ada"] {
            let authorizer = FixedAuthorizer(.bearer(Secret("token")), identity: account)
            let session = try cachedSession(authorizer, at: api, in: folder, over: script)
            _ = try await APILoader(GalleryAPI(environment: .production), session: session).load(GalleryQuery())
        }
        #expect(script.recorded.count == 2)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test @MainActor func `a screen shows stored photos until the new ones arrive`() async {
        let store = MemoryCacheStore()
        let stored = ScriptedSession([
            .json(#"[{"id":"a"}]"#).header("Cache-Control", "max-age=0").header("ETag", #""1""#)
        ])
        let first = PhotoScreen(stored, in: store)
        first.appear()
        #expect(first.status == "updating")
        await first.model.settled()
        #expect(first.status.isEmpty)
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let (responses, response) = AsyncStream<Void>.makeStream()
        let session = ScriptedSession { request in
            arrival.finish()
            for await _ in responses {}
            return .json(#"[{"id":"b"}]"#)
        }
        let second = PhotoScreen(session, in: store)
        second.appear()
        for await _ in arrivals {}
        #expect(second.model.state.value?.map(\.id) == ["a"] && second.status == "0 minutes old, updating")
        response.finish()
        #expect(await second.model.settled().value?.map(\.id) == ["b"] && second.status.isEmpty)
    }
}
