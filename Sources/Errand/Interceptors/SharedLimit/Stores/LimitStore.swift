/// A store of the rate limits that several processes share, for a ``SharedRateLimitInterceptor``.
///
/// A store measures time on its own clock, so the clocks of the processes do not matter. Errand has
/// ``MemoryLimitStore`` for one process, and ``FolderLimitStore`` for the processes of one user on one machine. Test another
/// store with `LimitStoreContract` of `ErrandTesting`.
///
/// A call must end when its task is cancelled, because the interceptor cancels a call that takes too long.
public protocol LimitStore: Sendable {
    /// Reserves the next free time of a limit, in one atomic step. The caller waits until that time and does not poll.
    ///
    /// - Parameters:
    ///   - key: The name of the limit, at most ``LimitDemand/keyLimit`` bytes of UTF-8.
    ///   - demand: The rate, the cost, and the maximum wait.
    /// - Returns: The reservation, or a refusal, which changes nothing.
    /// - Throws: Any error of the store, for example if it is unreachable.
    func take(_ key: String, _ demand: LimitDemand) async throws -> LimitDecision

    /// Returns a reservation after its wait, with the time that pauses of the server have added to it since then.
    ///
    /// - Parameters:
    ///   - grant: A reservation of ``take(_:_:)`` or of an earlier call.
    ///   - key: The name of the limit.
    /// - Returns: The reservation with the rest of its wait: zero if the request can be sent now.
    /// - Throws: Any error of the store.
    func update(_ grant: LimitGrant, of key: String) async throws -> LimitGrant

    /// Adds the limits that a response of the server reports. A pause moves all reservations of requests that have not been
    /// sent, by the time that it adds.
    ///
    /// - Parameters:
    ///   - key: The name of the limit.
    ///   - observation: The limits.
    /// - Throws: Any error of the store.
    func observe(_ key: String, _ observation: LimitObservation) async throws
}

/// A request that is to be counted in a ``LimitStore``.
public struct LimitDemand: Sendable, Hashable {
    /// The maximum length of a key: 256 bytes of UTF-8. A store may throw an error for a longer key.
    public static let keyLimit = 256

    /// The rate of the limit. All processes must use the same rate. The time of one request is rounded up to whole
    /// microseconds, and the time of the whole burst is at most one day.
    public var rate: RateLimitInterceptor.Policy.Rate
    /// The number of requests that this one counts as, from 1 to the burst of the rate. The default is 1.
    public var cost: Int
    /// The maximum wait, from zero to one day. If the wait would be longer, ``LimitStore/take(_:_:)`` refuses.
    public var maximumWait: Duration

    /// Creates a demand.
    public init(_ rate: RateLimitInterceptor.Policy.Rate, cost: Int = 1, maximumWait: Duration) {
        (self.rate, self.cost, self.maximumWait) = (rate, cost, maximumWait)
    }
}

/// The decision of a ``LimitStore``.
public enum LimitDecision: Sendable, Hashable {
    /// The request can be sent after a wait.
    case granted(LimitGrant)
    /// The wait would exceed the maximum wait.
    case refused(LimitRefusal)
}

/// A reservation in a ``LimitStore``.
public struct LimitGrant: Sendable, Hashable {
    /// The time until the request can be sent, at least zero.
    public var wait: Duration
    /// The state of the store when the reservation was made, in a form that only the store reads.
    public var mark: String

    /// Creates a reservation.
    public init(wait: Duration, mark: String = "") {
        (self.wait, self.mark) = (wait, mark)
    }
}

/// A refusal of a ``LimitStore``.
public struct LimitRefusal: Sendable, Hashable {
    /// The time until the next free time.
    public var wait: Duration
    /// Whether the server demanded the wait. Otherwise the rate is reached.
    public var isFromServer: Bool

    /// Creates a refusal.
    public init(wait: Duration, isFromServer: Bool) {
        (self.wait, self.isFromServer) = (wait, isFromServer)
    }
}

/// The limits that a response of the server reports.
public struct LimitObservation: Sendable, Hashable {
    /// A number of requests that the server still allows.
    public struct Quota: Sendable, Hashable {
        /// The remaining number of requests, at least 0.
        public var remaining: Int
        /// The time until the number is reset, from zero to one day.
        public var reset: Duration

        /// Creates a quota.
        public init(remaining: Int, reset: Duration) {
            (self.remaining, self.reset) = (remaining, reset)
        }
    }

    /// The quota with the fewest remaining requests, or `nil` if the response reports none.
    public var quota: Quota?
    /// The time during which the server expects no requests, from zero to one day. `nil` if there is none.
    public var pause: Duration?

    /// Creates an observation.
    public init(quota: Quota? = nil, pause: Duration? = nil) {
        (self.quota, self.pause) = (quota, pause)
    }
}
