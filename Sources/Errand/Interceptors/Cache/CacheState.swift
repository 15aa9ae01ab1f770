/// The number of requests of a ``CacheInterceptor`` by their outcome.
public struct CacheStatistics: Sendable, Hashable {
    /// Requests for which a stored response was used without waiting for the server.
    public internal(set) var hits: Int = 0
    /// GET requests without a matching stored response. Requests that skip the store are not counted.
    public internal(set) var misses: Int = 0
    /// Stored responses that the server confirmed with status 304.
    public internal(set) var validations: Int = 0
    /// Responses that were stored.
    public internal(set) var stores: Int = 0
    /// Stored responses that replaced an error (`stale-if-error`).
    public internal(set) var replacedErrors: Int = 0
}

/// The state of a ``CacheInterceptor``.
struct CacheState: Sendable {
    /// The maximum number of remembered invalidations.
    private static let limit = 1_024

    var statistics = CacheStatistics()
    /// The keys that are being validated in the background.
    var refreshes: Set<CacheKey> = []
    /// The number of invalidations so far.
    private(set) var invalidations = 0
    /// The last invalidated keys, as a ring.
    private var invalidated: [CacheKey] = []

    mutating func noteInvalidation(of key: CacheKey) {
        if invalidated.count < Self.limit {
            invalidated.append(key)
        } else {
            invalidated[invalidations % Self.limit] = key
        }
        invalidations += 1
    }

    /// Whether a key was invalidated after a number of invalidations. A response that was requested before may be older
    /// than the change.
    func wasInvalidated(_ key: CacheKey, after number: Int) -> Bool {
        guard invalidations > number else { return false }
        guard invalidations - number <= Self.limit else { return true }
        return (number..<invalidations).contains { invalidated[$0 % Self.limit] == key }
    }
}
