/// A store of responses for a ``CacheInterceptor``.
///
/// It stores and returns responses. The interceptor decides which of them may be stored and used. A key can have several
/// entries, one for each ``CacheEntry/selection``. A store may throw errors. The interceptor then sends the request, and
/// notes the error in the trail.
public protocol CacheStore: Sendable {
    /// Returns the complete entries of a key, the newest first.
    func entries(for key: CacheKey) async throws -> [CacheEntry]

    /// Starts to store a response. ``CacheWriter/finish()`` stores it, and replaces the entry with the same key and selection
    /// unless the request of that entry was sent later. Before that, ``entries(for:)`` does not return it.
    ///
    /// - Parameters:
    ///   - entry: The response without its body.
    ///   - key: The key.
    /// - Returns: The writer of the body, or `nil` if the response is not stored.
    /// - Throws: Any error of the store.
    func makeWriter(for entry: CacheEntry, key: CacheKey) async throws -> (any CacheWriter)?

    /// Replaces the headers and times of an entry, and keeps its body. Does nothing if `old` is no longer stored, because
    /// it was removed or replaced.
    func update(_ entry: CacheEntry, replacing old: CacheEntry, for key: CacheKey) async throws

    /// Removes the entries of a key.
    func remove(_ key: CacheKey) async throws

    /// Removes the entries of all URLs that satisfy a condition. Responses that are being written by this process are
    /// discarded.
    func remove(matching condition: @Sendable (URL) -> Bool) async throws

    /// Asks for the right to request a response that is missing or stale.
    ///
    /// A store that several processes share grants the lease to one of them. The others wait in this function until the
    /// response is stored, for a limited time. The default implementation never waits.
    ///
    /// - Parameter key: The key.
    /// - Returns: The lease. ``CacheInterceptor`` ends it.
    /// - Throws: Any error of the store. The request is then sent without a lease.
    func lease(of key: CacheKey) async throws -> CacheLease

    /// The number of entries and their total size.
    var usage: CacheUsage { get async throws }
}

extension CacheStore {
    /// Returns a lease without waiting.
    public func lease(of key: CacheKey) async throws -> CacheLease { CacheLease() }
}

extension CacheStore {
    /// Removes all entries.
    public func removeAll() async throws {
        try await remove { _ in true }
    }
}

/// Stores the body of a response.
public protocol CacheWriter: Sendable {
    /// Appends bytes. Returns `false` if the store has no space for the body. The writer then ignores further calls.
    func write(_ bytes: Data) async throws -> Bool
    /// Completes the entry.
    func finish() async throws
    /// Discards the entry. Does nothing after ``finish()``.
    func cancel() async
}

/// The contents of a ``CacheStore``.
public struct CacheUsage: Sendable, Hashable {
    /// The number of entries.
    public var entries: Int
    /// The total size of the entries in bytes, with their headers.
    public var bytes: Int64

    /// Creates a value.
    public init(entries: Int = 0, bytes: Int64 = 0) {
        (self.entries, self.bytes) = (entries, bytes)
    }
}
