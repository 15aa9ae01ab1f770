import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Validation (RFC 9111, section 4.3) and invalidation (section 4.4).
@Suite(.timeLimit(.minutes(1))) struct CacheValidationTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(arguments: ["\"1\"", "W/\"1\""])
    func `a stale response is validated with its entity tag and date (4.3.1)`(tag: String) async throws {
        let scene = CacheScene(
            .caching("max-age=10").header("ETag", tag).header("Last-Modified", Self.date),
            .status(304).header("ETag", tag))
        _ = try await scene.get()
        scene.clock.advance(by: .seconds(13))
        let validated = try await scene.get()
        #expect(validated.status == 200 && validated.body == "1" && validated.age == "0")
        #expect(validated.notes == ["stale for 3 s, validated: 304"])
        #expect(scene.lastSent["If-None-Match"] == tag && scene.lastSent["If-Modified-Since"] == Self.date)
        scene.clock.advance(by: .seconds(9))
        #expect(try await scene.get().age == "9")
        #expect(scene.sent == 2 && scene.cache.statistics.validations == 1)
    }

    @Test func `304 updates the headers that do not describe the body (3.2 and 4.3.4)`() async throws {
        let scene = CacheScene(
            .caching("max-age=1").header("ETag", "\"1\"").header("X-A", "1").header("X-B", "1").header("X-B", "2")
                .header("Content-Length", "1").header("Age", "1"),
            .status(304).header("ETag", "\"1\"").header("X-B", "3").header("Content-Length", "0")
                .header("Cache-Control", "max-age=20").header("Content-Type", "text/html").header("Connection", "X-C")
                .header("X-C", "1"))
        _ = try await scene.get()
        _ = try await scene.get()
        let stored = try await scene.get()
        #expect(scene.sent == 2 && stored.header("X-A") == "1")
        #expect(stored.response.head.headers.all("X-B") == ["3"] && stored.header("Content-Length") == "1")
        #expect(stored.header("Content-Type") == "text/plain; charset=utf-8" && stored.header("X-C") == nil)
        #expect(stored.notes == ["fresh, 20 s left"])
    }

    @Test func `another response replaces the stored one (4.3.3)`() async throws {
        let scene = CacheScene(
            .caching("max-age=1").header("ETag", "\"1\""), .caching("max-age=10", "2").header("ETag", "\"2\""))
        _ = try await scene.get()
        scene.clock.advance(by: .seconds(1))
        #expect(try await scene.get().body == "2")
        #expect(try await scene.get().body == "2")
        #expect(scene.sent == 2 && scene.store.usage.entries == 1)
    }

    @Test func `304 for another strong entity tag is not used (4.3.4)`() async throws {
        let scene = CacheScene(
            .caching("max-age=1").header("ETag", "\"1\""), .status(304).header("ETag", "\"2\""), .text("3"))
        _ = try await scene.get()
        scene.clock.advance(by: .seconds(1))
        #expect(try await scene.get().body == "3")
        #expect(scene.lastSent["If-None-Match"] == nil)
    }

    @Test(arguments: [("\"1\"", "W/\"2\""), ("W/\"1\"", "W/\"2\""), ("W/\"1\"", "\"2\"")])
    func `304 for another weak entity tag is not used (4.3.4)`(stored: String, validated: String) async throws {
        let scene = CacheScene(
            .caching("max-age=1").header("ETag", stored), .status(304).header("ETag", validated), .text("3"))
        _ = try await scene.get()
        scene.clock.advance(by: .seconds(1))
        #expect(try await scene.get().body == "3")
    }

    @Test func `304 with no-store removes the stored response`() async throws {
        let scene = CacheScene(
            .caching("max-age=1").header("ETag", "\"1\""), .status(304).header("Cache-Control", "no-store"), .text("2"))
        _ = try await scene.get()
        scene.clock.advance(by: .seconds(1))
        #expect(try await scene.get().body == "1")
        #expect(try await scene.get().body == "2")
    }

    @Test func `no-cache requires a validation unless it lists headers (5.2.2.4)`() async throws {
        let tagged = CannedReply.caching("no-cache, max-age=10").header("ETag", "\"1\"")
        let scene = CacheScene(tagged, .status(304), .status(304))
        for _ in 0..<3 { #expect(try await scene.get().body == "1") }
        #expect(scene.sent == 3)
        let fields = CacheScene(.caching("no-cache=\"X-A\", max-age=10"))
        for _ in 0..<3 { #expect(try await fields.get().body == "1") }
    }

    @Test func `HEAD uses and updates the stored response (4.3.5)`() async throws {
        let scene = CacheScene(
            .caching("max-age=10").header("ETag", "\"1\""),
            .status(200).header("ETag", "\"1\"").header("X-A", "2").header("Cache-Control", "max-age=20"),
            .status(200).header("ETag", "\"2\""), .text("3"))
        _ = try await scene.get()
        let head = try await scene.send(.head)
        #expect(head.status == 200 && head.body == "" && head.header("ETag") == "\"1\"" && scene.sent == 1)
        scene.clock.advance(by: .seconds(10))
        #expect(try await scene.send(.head).header("X-A") == "2")
        let updated = try await scene.get()
        #expect(updated.body == "1" && updated.header("X-A") == "2" && scene.sent == 2)
        scene.clock.advance(by: .seconds(20))
        _ = try await scene.send(.head)
        #expect(try await scene.get().body == "3")
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, HTTPMethod("M-SEARCH")])
    func `a successful write removes the responses of its URL (4.4)`(method: HTTPMethod) async throws {
        for (status, body) in [(200, "2"), (204, "2"), (303, "2"), (404, "1"), (500, "1")] {
            let scene = CacheScene(.caching("max-age=10"), .status(status), .text("2"))
            _ = try await scene.get()
            _ = try await scene.send(method)
            #expect(try await scene.get().body == body, "\(status)")
        }
    }

    @Test func `a write removes the responses of Location and Content-Location of the same origin (4.4)`() async throws
    {
        let scene = CacheScene(
            .caching("max-age=10", "b"), .caching("max-age=10", "c"), .caching("max-age=10", "d"),
            .status(201).header("Location", "/b").header("Content-Location", "https://a.example:443/c"),
            .text("b2"), .text("c2"))
        for path in ["/b", "/c", "/d"] { _ = try await scene.get(path) }
        _ = try await scene.send(.post)
        #expect(try await scene.get("/b").body == "b2")
        #expect(try await scene.get("/c").body == "c2")
        #expect(try await scene.get("/d").body == "d")
        let other = CacheScene(
            .caching("max-age=10", "b"), .status(201).header("Location", "https://b.example/b"))
        _ = try await other.get("/b")
        _ = try await other.send(.post)
        #expect(try await other.get("/b").body == "b")
    }

    @Test func `a cancelled write removes the stored responses`() async throws {
        let script = ScriptedSession([.caching("max-age=10"), .stall, .text("2")])
        let session = script.cached(in: CancellingStore(inner: MemoryCacheStore()))
        let get = try CacheScene.request(), put = try CacheScene.request(.put)
        _ = try await session.send(get)
        let write = Task { try await session.send(put) }
        try await Soak.wait { script.recorded.count == 2 }
        write.cancel()
        await #expect(throws: (any Error).self) { try await write.value }
        #expect(try await session.send(get).body.collect() == Data("2".utf8))
    }

    /// A store that does nothing in a cancelled task.
    private struct CancellingStore: CacheStore {
        let inner: MemoryCacheStore

        func entries(for key: CacheKey) -> [CacheEntry] { inner.entries(for: key) }
        func makeWriter(for entry: CacheEntry, key: CacheKey) -> (any CacheWriter)? {
            inner.makeWriter(for: entry, key: key)
        }
        func update(_ entry: CacheEntry, replacing old: CacheEntry, for key: CacheKey) {
            inner.update(entry, replacing: old, for: key)
        }
        func remove(_ key: CacheKey) throws {
            try Task.checkCancellation()
            inner.remove(key)
        }
        func remove(matching condition: @Sendable (URL) -> Bool) { inner.remove(matching: condition) }
        var usage: CacheUsage { inner.usage }
    }

    @Test func `a validation that ends during a write does not store the old response again`() async throws {
        let script = ScriptedSession([.caching("max-age=1").header("ETag", "\"1\""), .status(304), .status(204)])
        let inner = MemoryCacheStore()
        let (get, put) = (try CacheScene.request(), try CacheScene.request(.put))
        let cache = Locked<CacheInterceptor?>(nil)
        let store = LateStore(inner: inner) {
            guard let cache = cache.withLock({ $0 }) else { return }
            _ = try? await script.intercepted(by: cache).send(put)
        }
        let interceptor = CacheInterceptor(store)
        cache.withLock { $0 = interceptor }
        let session = script.intercepted(by: interceptor)
        let clock = ManualClock()
        for _ in 0..<2 {
            var request = get
            request.options.time = clock
            _ = try await session.send(request)
            clock.advance(by: .seconds(2))
        }
        #expect(inner.usage.entries == 0 && script.recorded.count == 3)
    }

    /// A store in which an update begins before other changes and ends after them.
    private struct LateStore: CacheStore {
        let inner: MemoryCacheStore
        let meanwhile: @Sendable () async -> Void

        func entries(for key: CacheKey) -> [CacheEntry] { inner.entries(for: key) }
        func makeWriter(for entry: CacheEntry, key: CacheKey) -> (any CacheWriter)? {
            inner.makeWriter(for: entry, key: key)
        }
        func update(_ entry: CacheEntry, replacing old: CacheEntry, for key: CacheKey) async throws {
            await meanwhile()
            let writer = inner.makeWriter(for: entry, key: key)
            _ = try await writer?.write(Data("1".utf8))
            try await writer?.finish()
        }
        func remove(_ key: CacheKey) { inner.remove(key) }
        func remove(matching condition: @Sendable (URL) -> Bool) { inner.remove(matching: condition) }
        var usage: CacheUsage { inner.usage }
    }

    @Test func `a write of an account removes the public responses, too`() async throws {
        let scene = CacheScene(.caching("max-age=10"), .status(204), .text("2"))
        _ = try await scene.get()
        _ = try await scene.send(.put, "/a", ["Authorization": "Bearer one"])
        #expect(try await scene.get().body == "2")
    }

    @Test func `a response that was requested before a write is not stored after it`() async throws {
        let gate = Gate()
        let script = ScriptedSession { request in
            guard request.method == .get else { return .status(204) }
            await gate.wait()
            return .caching("max-age=10")
        }
        let store = MemoryCacheStore()
        let session = script.cached(in: store)
        let get = try CacheScene.request(), put = try CacheScene.request(.put)
        async let early = session.send(get)
        try await Soak.wait { script.recorded.count == 1 }
        _ = try await session.send(put)
        gate.open()
        _ = try await early
        #expect(store.usage.entries == 0)
    }
}
