import ErrandSupport

/// A limit store in memory, for the sessions of one process.
///
/// It stores up to 1,000 limits. A further limit replaces an idle one: a limit with its whole burst, and without a pause or
/// a quota of the server. If none is idle, it replaces any other limit, and the reservations and pauses of that one are lost.
public final class MemoryLimitStore: LimitStore {
    private static let maximumKeys = 1_000

    private let time: any TimeSource
    private let states = Locked<[String: LimitState]>([:])

    /// Creates a store.
    /// - Parameter time: The clock of the store. The default is the system clock.
    public init(time: some TimeSource = .system) {
        self.time = time
    }

    /// The keys of the stored limits.
    package var keys: Set<String> { states.withLock { Set($0.keys) } }

    /// Reserves the next free time of a limit.
    public func take(_ key: String, _ demand: LimitDemand) -> LimitDecision {
        change(key, at: time.now) { $0.take(demand, at: $1) }
    }

    /// Returns a reservation with the pauses that were added to it.
    public func update(_ grant: LimitGrant, of key: String) -> LimitGrant {
        states.withLock { $0[key]?.update(grant) } ?? LimitGrant(wait: .zero)
    }

    /// Adds the limits that a response reports.
    public func observe(_ key: String, _ observation: LimitObservation) {
        change(key, at: time.now) { $0.observe(observation, at: $1) }
    }
}

extension MemoryLimitStore {
    /// The time until which the server expects no further requests, or zero without a pause and a used-up quota.
    func pausedUntil(_ key: String) -> Duration {
        .microseconds(states.withLock { $0[key].map { max($0.pausedUntil, $0.usedUpUntil) } } ?? 0)
    }

    private func change<Result: Sendable>(
        _ key: String, at time: Duration, _ body: @Sendable (inout LimitState, Int64) -> Result
    ) -> Result {
        let now = time.wholeMicroseconds
        return states.withLock { states in
            if states[key] == nil, states.count >= Self.maximumKeys {
                let other = states.first { $0.value.isIdle(at: now) } ?? states.first
                if let other { states[other.key] = nil }
            }
            return body(&states[key, default: LimitState(at: now)], now)
        }
    }
}
