import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct MemoryCacheStoreTests {
    private func entry(_ path: String) -> CacheEntry {
        let now = Date(timeIntervalSince1970: 0)
        let head = ResponseHead(status: 200, url: URL(filePath: path))
        return CacheEntry(head: head, requestDate: now, responseDate: now, selection: VarySelection())
    }

    private func key(_ number: Int) -> CacheKey { CacheKey(url: "https://a.example/\(number)") }

    private func insert(_ number: Int, size: Int, into store: MemoryCacheStore) async throws -> Bool {
        let writer = try #require(store.makeWriter(for: entry("/\(number)"), key: key(number)))
        guard try await writer.write(Data(repeating: 0, count: size)) else { return false }
        try await writer.finish()
        return true
    }

    @Test func `the least recently used entries are removed`() async throws {
        let store = MemoryCacheStore(capacity: 10_000, entryLimit: 5_000)
        for number in 0..<3 { #expect(try await insert(number, size: 2_500, into: store)) }
        #expect(store.entries(for: key(0)).count == 1)
        #expect(try await insert(3, size: 2_500, into: store))
        #expect([0, 1, 2, 3].map { store.entries(for: key($0)).count } == [1, 0, 1, 1])
        #expect(store.usage.entries == 3 && store.usage.bytes <= 10_000)
    }

    @Test func `a body above the limit is not stored`() async throws {
        let store = MemoryCacheStore(capacity: 8_000)
        #expect(try await insert(0, size: 1_000, into: store))
        #expect(try await insert(1, size: 1_001, into: store) == false)
        #expect(store.usage.entries == 1)
        #expect(MemoryCacheStore(capacity: 0).makeWriter(for: entry("/"), key: key(0)) == nil)
    }

    @Test func `an entry exists only after its writer has finished`() async throws {
        let store = MemoryCacheStore()
        let writer = try #require(store.makeWriter(for: entry("/"), key: key(0)))
        _ = try await writer.write(Data([1]))
        #expect(store.entries(for: key(0)).isEmpty)
        await writer.cancel()
        try await writer.finish()
        #expect(store.entries(for: key(0)).isEmpty && store.usage == CacheUsage())
    }

    @Test func `entries are removed by key, by condition, or all at once`() async throws {
        let store = MemoryCacheStore()
        for number in 0..<10 { _ = try await insert(number, size: 10, into: store) }
        store.remove(key(0))
        store.remove { $0.lastPathComponent == "1" }
        #expect(store.usage.entries == 8)
        try await store.removeAll()
        #expect(store.usage == CacheUsage())
    }

    @Test func `a key has at most 16 variants`() async throws {
        let script = ScriptedSession { _ in .caching("max-age=10").header("Vary", "Foo") }
        let store = MemoryCacheStore()
        let session = script.cached(in: store)
        for number in 0..<20 {
            _ = try await session.send(try CacheScene.request(.get, "/a", ["Foo": "\(number)"]))
        }
        #expect(store.usage.entries == 16)
    }

    @Test func `the usage is correct after random changes`() async throws {
        var random = SplitMix(state: 7)
        let store = MemoryCacheStore(capacity: 20_000, entryLimit: 5_000)
        for _ in 0..<2_000 {
            let number = Int.random(in: 0..<30, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: store.remove(key(number))
            case 1: _ = store.entries(for: key(number))
            default: _ = try await insert(number, size: Int.random(in: 0..<6_000, using: &random), into: store)
            }
            #expect(store.usage.bytes <= 20_000 && store.usage.bytes >= 0)
        }
        let left = (0..<30).reduce(0) { $0 + store.entries(for: key($1)).count }
        #expect(store.usage.entries == left)
        try await store.removeAll()
        #expect(store.usage == CacheUsage())
    }

    @Test func `a store that fails does not fail a request`() async throws {
        let script = ScriptedSession([.caching("max-age=10"), .text("2")])
        let session = script.cached(in: FailingStore())
        for body in ["1", "2"] {
            var request = try CacheScene.request()
            let recorder = Trail.Recorder()
            request.options.trail = recorder
            #expect(try await session.send(request).body.collect() == Data(body.utf8))
            #expect(recorder.trail.events.contains { $0.message.hasPrefix("the store failed: file: full") })
        }
    }

    private struct FailingStore: CacheStore {
        private var failure: ServiceError { ServiceError(.file, "full") }

        func entries(for key: CacheKey) throws -> [CacheEntry] { throw failure }
        func makeWriter(for entry: CacheEntry, key: CacheKey) throws -> (any CacheWriter)? { throw failure }
        func update(_ entry: CacheEntry, replacing old: CacheEntry, for key: CacheKey) throws { throw failure }
        func remove(_ key: CacheKey) throws { throw failure }
        func remove(matching condition: @Sendable (URL) -> Bool) throws { throw failure }
        var usage: CacheUsage { CacheUsage() }
    }
}
