import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CacheStoreTests {
    @Test func `the stores pass the contract`() async throws {
        let folder = try ScratchFolder()
        try await CacheStoreContract { _ in MemoryCacheStore() }.verify()
        try await CacheStoreContract(sharing: .entries) {
            try DiskCacheStore(folder: folder.url.appending(path: $0))
        }.verify()
    }

    /// Accepts each response, and forgets it.
    private struct ForgetfulStore: CacheStore {
        struct Writer: CacheWriter {
            func write(_ bytes: Data) -> Bool { true }
            func finish() {}
            func cancel() {}
        }

        func entries(for key: CacheKey) -> [CacheEntry] { [] }
        func makeWriter(for entry: CacheEntry, key: CacheKey) -> (any CacheWriter)? { Writer() }
        func update(_ entry: CacheEntry, replacing old: CacheEntry, for key: CacheKey) {}
        func remove(_ key: CacheKey) {}
        func remove(matching condition: @Sendable (URL) -> Bool) {}
        var usage: CacheUsage { CacheUsage() }
    }

    @Test func `a store that forgets everything breaks eight promises`() async throws {
        do {
            try await CacheStoreContract(sharing: .leases) { _ in ForgetfulStore() }.verify()
            Issue.record("the contract found no problem")
        } catch {
            #expect(error.problems.count == 8)
            #expect(CacheStoreContract.promises.count == 13)
        }
    }
}
