import Errand
import ErrandSupport

/// Collects the body of a response.
final class ValkeyCacheWriter: CacheWriter {
    private let store: ValkeyCacheStore
    private let entry: CacheEntry
    private let key: CacheKey
    /// The number of removals of the store before the first byte.
    private let removals: Int
    /// The bytes so far, or `nil` after the end.
    private let bytes = Locked<Data?>(Data())

    init(store: ValkeyCacheStore, entry: CacheEntry, key: CacheKey, removals: Int) {
        (self.store, self.entry, self.key, self.removals) = (store, entry, key, removals)
    }

    func write(_ bytes: Data) -> Bool {
        let limit = Int(store.entryLimit)
        return self.bytes.withLock { body in
            guard let count = body?.count, bytes.count <= limit - count else {
                body = nil
                return false
            }
            body?.append(bytes)
            return true
        }
    }

    func finish() async throws {
        guard let body = bytes.withLock({ $0.take() }), store.removals == removals else { return }
        try await store.insert(entry, key, body)
        // All entries were removed in the meantime.
        if store.removals != removals { try await store.remove(key) }
    }

    func cancel() {
        bytes.withLock { $0 = nil }
    }
}
