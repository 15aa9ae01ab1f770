import ErrandSupport

/// A ledger of idempotency keys in memory, for the sessions of one process.
public final class MemoryIdempotencyLedger: IdempotencyLedger {
    /// The default number of keys: 10,000.
    public static let defaultCapacity: Int = 10_000

    private let capacity: Int
    private let lifetime: Duration
    private let time: any TimeSource
    private let states = Locked(RecencyList<String, IdempotencyState>())

    /// Creates an empty ledger.
    /// - Parameters:
    ///   - lifetime: The time for which a recorded response is kept. The default is 24 hours.
    ///   - capacity: The maximum number of keys, at least 1. The least recently used ones are forgotten. The default is 10,000.
    ///   - time: The clock.
    public init(
        lifetime: Duration = .seconds(86_400), capacity: Int = MemoryIdempotencyLedger.defaultCapacity,
        time: some TimeSource = .system
    ) {
        (self.lifetime, self.capacity, self.time) = (max(.zero, lifetime), max(1, capacity), time)
    }

    /// Reserves a key, or extends its reservation.
    public func begin(_ key: String, request: String, owner: String, lease: Duration) -> IdempotencyDecision {
        let (now, capacity) = (now, capacity)
        return states.withLock { states in
            let (decision, new) = IdempotencyState.begin(
                states.use(key), request: request, owner: owner, lease: lease, at: now)
            if let new { states.set(key, new) }
            while states.count > capacity { _ = states.removeOldest() }
            return decision
        }
    }

    /// Records the response to the request of a key.
    /// - Throws: The error of encoding the response.
    public func finish(_ key: String, owner: String, with response: IdempotencyRecord) throws {
        let data = try response.data
        let expiry = now + Double(lifetime.wholeMicroseconds) / 1e6
        states.withLock { states in
            if let new = states.use(key)?.finished(owner, data, until: expiry) { states.set(key, new) }
        }
    }

    /// Ends the reservation of an owner.
    public func abandon(_ key: String, owner: String) {
        states.withLock { states in
            if states.use(key)?.owner == owner { _ = states.remove(key) }
        }
    }

    private var now: Double { Double(time.now.wholeMicroseconds) / 1e6 }
}
