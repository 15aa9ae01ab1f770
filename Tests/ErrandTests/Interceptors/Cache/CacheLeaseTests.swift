import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// The use of leases by the interceptor.
@Suite(.timeLimit(.minutes(1))) struct CacheLeaseTests {
    /// A store that notes how leases end. Its leases can find new entries.
    private final class LeaseStore: CacheStore {
        private let store = MemoryCacheStore()
        private let notes = Locked<[String]>([])
        private let onLease: @Sendable (MemoryCacheStore) async throws -> Bool

        init(_ onLease: @escaping @Sendable (MemoryCacheStore) async throws -> Bool = { _ in false }) {
            self.onLease = onLease
        }

        /// The outcomes of the leases, in order.
        var outcomes: [String] { notes.withLock { $0 } }

        func lease(of key: CacheKey) async throws -> CacheLease {
            CacheLease(hasNewEntries: try await onLease(store)) { outcome in
                self.notes.withLock { $0.append("\(outcome)") }
            }
        }

        func entries(for key: CacheKey) -> [CacheEntry] { store.entries(for: key) }
        func makeWriter(for entry: CacheEntry, key: CacheKey) -> (any CacheWriter)? {
            store.makeWriter(for: entry, key: key)
        }
        func update(_ entry: CacheEntry, replacing old: CacheEntry, for key: CacheKey) {
            store.update(entry, replacing: old, for: key)
        }
        func remove(_ key: CacheKey) { store.remove(key) }
        func remove(matching condition: @Sendable (URL) -> Bool) { store.remove(matching: condition) }
        var usage: CacheUsage { store.usage }
    }

    private struct Failed: Error {}

    private func get(
        _ session: any APISession, _ control: String? = nil, _ configure: (inout RequestOptions) -> Void = { _ in }
    ) async throws -> String {
        var request = try CacheScene.request(.get, "/a", control.map { ["Cache-Control": $0] } ?? [:])
        configure(&request.options)
        return String(decoding: try await session.send(request).body.collect(), as: UTF8.self)
    }

    @Test(arguments: [
        (CannedReply.caching("max-age=60"), "stored"), (.caching("no-store"), "notStorable"),
        (.caching("no-cache", status: 500), "failed"), (.failure(Failed()), "failed"),
    ])
    func `a lease ends with the outcome of its request`(reply: CannedReply, outcome: String) async throws {
        for delivery in [RequestOptions.Delivery.buffered, .streamed] {
            let store = LeaseStore()
            let session = ScriptedSession([reply]).cached(in: store)
            _ = try? await get(session) { $0.delivery = delivery }
            #expect(store.outcomes == [outcome])
        }
    }

    @Test func `the lease of a streamed response ends with its body`() async throws {
        let store = LeaseStore()
        let session = ScriptedSession([.caching("max-age=60"), .caching("max-age=60")]).cached(in: store)
        var request = try CacheScene.request()
        request.options.delivery = .streamed
        do {
            let response = try await session.send(request)
            #expect(store.outcomes.isEmpty)
            _ = try await response.body.collect()
        }
        #expect(store.outcomes == ["stored"])
    }

    @Test func `the response that another process has stored is used without a request`() async throws {
        let other = ScriptedSession([.caching("max-age=60", "other")])
        let store = LeaseStore { shared in
            _ = try await other.cached(in: shared).send(try CacheScene.request()).body.collect()
            return true
        }
        let script = ScriptedSession([])
        #expect(try await get(script.cached(in: store)) == "other")
        #expect(script.recorded.isEmpty && store.outcomes == ["stored"])
    }

    @Test func `a stale response that another process has stored is validated`() async throws {
        let other = ScriptedSession([CannedReply.caching("max-age=0", "other").header("ETag", "\"1\"")])
        let store = LeaseStore { shared in
            guard other.recorded.isEmpty else { return false }
            _ = try await other.cached(in: shared).send(try CacheScene.request()).body.collect()
            return true
        }
        let script = ScriptedSession([.status(304)])
        #expect(try await get(script.cached(in: store)) == "other")
        #expect(script.recorded.first?.headers["If-None-Match"] == "\"1\"")
        #expect(store.outcomes == ["stored"])
    }

    @Test func `a request is sent without a lease if the store fails`() async throws {
        let script = ScriptedSession([.caching("max-age=60", "1")])
        #expect(try await get(script.cached(in: LeaseStore { _ in throw Failed() })) == "1")
        #expect(script.recorded.count == 1)
    }

    @Test func `a response that is always stale needs no lease`() async throws {
        let store = LeaseStore()
        let script = ScriptedSession([
            CannedReply.caching("no-cache", "1").header("ETag", "\"1\""), .status(304), .status(304),
        ])
        for _ in 0..<3 { #expect(try await get(script.cached(in: store)) == "1") }
        #expect(store.outcomes == ["stored"])
        #expect(try await get(ScriptedSession([.text("2")]).cached(in: store), "no-store") == "2")
        #expect(store.outcomes == ["stored"])
    }

    @Test func `a request that must reach the server needs no lease`() async throws {
        for mode in [CacheMode.noCache, .reload, .noStore] {
            let store = LeaseStore { _ in throw Failed() }
            let script = ScriptedSession([.caching("max-age=60", "1")])
            #expect(try await get(script.cached(in: store)) { $0.cacheMode = mode } == "1")
        }
    }

    @Test func `a request is not sent if its wait was cancelled`() async throws {
        let store = LeaseStore { _ in
            await waitUntilCancelled()
            return false
        }
        let script = ScriptedSession([.caching("max-age=60", "1")])
        let task = Task { try await get(script.cached(in: store)) }
        task.cancel()
        let result = await task.result
        #expect(throws: (any Error).self) { try result.get() }
        #expect(script.recorded.isEmpty)
    }
}
