import ErrandSupport

/// A store of responses in memory. When it is full, the least recently used entries are removed.
///
/// ```swift
/// let session = PlatformSession.platform.cached(in: MemoryCacheStore(capacity: 10 << 20))
/// ```
/// The entries are lost when the process ends.
public final class MemoryCacheStore: CacheStore {
    /// The default capacity: 32 MB.
    public static let defaultCapacity: Int = 32 << 20

    private struct State {
        var list = RecencyList<CacheKey, [CacheEntry]>()
        var bytes = 0
        var count = 0
        /// The number of calls that removed the entries of several keys.
        var removals = 0

        mutating func forget(_ entries: [CacheEntry]) {
            bytes -= entries.reduce(0) { $0 + $1.cost }
            count -= entries.count
        }
    }

    private let capacity: Int
    private let entryLimit: Int
    private let state = Locked(State())

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - capacity: The maximum total size in bytes of the entries, with their headers. The default is 32 MB.
    ///   - entryLimit: The maximum size in bytes of a body. The default is an eighth of the capacity.
    public init(capacity: Int = MemoryCacheStore.defaultCapacity, entryLimit: Int? = nil) {
        self.capacity = max(0, capacity)
        self.entryLimit = max(0, min(entryLimit ?? self.capacity / 8, self.capacity))
    }

    /// Returns the entries of a key, the newest first.
    public func entries(for key: CacheKey) -> [CacheEntry] {
        state.withLock { $0.list.use(key) ?? [] }
    }

    /// Starts to store a response.
    public func makeWriter(for entry: CacheEntry, key: CacheKey) -> (any CacheWriter)? {
        guard entryLimit > 0 else { return nil }
        return Writer(store: self, entry: entry, key: key, removals: state.withLock { $0.removals })
    }

    /// Replaces the headers and times of an entry.
    public func update(_ entry: CacheEntry, replacing old: CacheEntry, for key: CacheKey) {
        state.withLock { state in
            guard var entries = state.list.use(key), let index = entries.firstIndex(where: { $0.isSame(as: old) })
            else { return }
            let updated = entries[index].updated(
                with: entry.head, requestDate: entry.requestDate, responseDate: entry.responseDate)
            state.bytes += updated.cost - entries[index].cost
            entries[index] = updated
            state.list.set(key, entries)
        }
    }

    /// Removes the entries of a key.
    public func remove(_ key: CacheKey) {
        state.withLock { state in
            guard let removed = state.list.remove(key) else { return }
            state.forget(removed)
        }
    }

    /// Removes the entries of all URLs that satisfy a condition.
    public func remove(matching condition: @Sendable (URL) -> Bool) {
        // The condition is code of the caller, so it is called without the lock.
        let keys = state.withLock { state in
            state.removals += 1
            return state.list.keys
        }.filter { URL(string: $0.url).map(condition) ?? false }
        for key in keys { remove(key) }
    }

    /// The number of entries and their total size.
    public var usage: CacheUsage {
        state.withLock { CacheUsage(entries: $0.count, bytes: Int64($0.bytes)) }
    }

    private func insert(_ entry: CacheEntry, _ key: CacheKey, _ removals: Int) {
        let capacity = capacity
        state.withLock { state in
            // A response that was requested before the removal may be one of those.
            guard state.removals == removals else { return }
            let entries = state.list.use(key) ?? []
            // A slow response does not replace a newer one.
            let isOutdated = entries.contains {
                $0.selection == entry.selection && $0.requestDate > entry.requestDate
            }
            guard !isOutdated else { return }
            let others = entries.filter { $0.selection != entry.selection }.prefix(Self.variantLimit - 1)
            state.forget(entries)
            state.list.set(key, [entry] + others)
            state.bytes += entry.cost + others.reduce(0) { $0 + $1.cost }
            state.count += 1 + others.count
            while state.bytes > capacity, let removed = state.list.removeOldest() { state.forget(removed) }
        }
    }

    /// The maximum number of variants of a key: 16. The oldest is replaced.
    private static let variantLimit = 16

    /// Collects the body of an entry.
    private final class Writer: CacheWriter {
        private let store: MemoryCacheStore
        private let entry: CacheEntry
        private let key: CacheKey
        private let removals: Int
        /// The bytes so far, or `nil` after the end.
        private let bytes = Locked<Data?>(Data())

        init(store: MemoryCacheStore, entry: CacheEntry, key: CacheKey, removals: Int) {
            (self.store, self.entry, self.key, self.removals) = (store, entry, key, removals)
        }

        func write(_ bytes: Data) -> Bool {
            let limit = store.entryLimit
            return self.bytes.withLock { body in
                guard let count = body?.count, bytes.count <= limit - count else {
                    body = nil
                    return false
                }
                // The first chunk is often the complete body, and is not copied.
                if count == 0 { body = bytes } else { body?.append(bytes) }
                return true
            }
        }

        func finish() {
            guard let body = bytes.withLock({ $0.take() }) else { return }
            store.insert(entry.with(ResponseBody(body), size: Int64(body.count)), key, removals)
        }

        func cancel() {
            bytes.withLock { $0 = nil }
        }
    }
}

extension CacheEntry {
    /// The estimated number of bytes in memory.
    fileprivate var cost: Int {
        let headers = head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
        return 512 + headers + head.url.absoluteString.utf8.count + (body.data?.count ?? 0)
    }
}
