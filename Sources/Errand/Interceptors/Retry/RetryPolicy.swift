/// When, how often and how late a request is sent again.
///
/// ```swift
/// var policy = RetryPolicy()
/// policy.attempts = 5
/// policy.attemptsPerReason[.timeout] = 2
/// policy.statuses.remove(500)
/// let session = PlatformSession.platform.intercepted(by: RetryInterceptor(policy))
/// ```
public struct RetryPolicy: Sendable {
    /// The most times that a request is sent, the first one counted: 3, within 1 and 100.
    public var attempts: Int = 3
    /// Fewer for one reason: the most times that a request is sent because of it, the first one counted.
    public var attemptsPerReason: [Reason: Int] = [:]
    /// The statuses that may pass: 408, 429, 500, 502, 503 and 504.
    public var statuses: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// Whether a connection that can't be made, or that is lost, may pass: true.
    public var retriesConnections: Bool = true
    /// Whether a server that was silent for too long is asked again: true. What ends the whole call is never followed.
    public var retriesTimeouts: Bool = true
    /// The waits between attempts.
    public var backoff: Backoff = Backoff()
    /// The longest wait that a server's `Retry-After` is obeyed for, 60 seconds: where it asks for more, the call ends.
    public var longestWait: Duration = .seconds(60)
    /// What may be spent on one host's requests, so that an outage is not multiplied; nil for no bound.
    public var budget: Budget? = Budget()
    /// Decides otherwise: gets what came back and what this policy would do. It may choose another wait, up to
    /// ``longestWait`` and the deadline, or stop; never make a request be sent again that must not be, or more often than
    /// ``attempts``.
    public var decide: (@Sendable (Question) -> Decision)?

    /// Makes the default policy.
    public init() {}
}

extension RetryPolicy {
    /// Why a request is sent again.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The reason as the trail shows it.
        public let rawValue: String

        private init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The text that is safe to print.
        public var description: String { rawValue }

        /// No connection could be made.
        public static let connection: Self = .init("no connection")
        /// The connection was lost.
        public static let connectionLost: Self = .init("connection lost")
        /// The server was silent for too long.
        public static let timeout: Self = .init("timeout")
        /// The server answered with this status.
        public static func status(_ status: Int) -> Self { Self("status \(status)") }
    }
}

extension RetryPolicy {
    /// Waits that grow: before the n-th repetition a random time between 0 and `base × factorⁿ⁻¹`, at most `cap`.
    ///
    /// The whole time is drawn ("full jitter"), so that clients that failed together do not come back together.
    public struct Backoff: Sendable, Hashable {
        /// The bound of the first wait: 100 ms.
        public var base: Duration
        /// What the bound grows by: 2.
        public var factor: Double
        /// The highest bound: 20 s.
        public var cap: Duration

        /// Makes a backoff.
        public init(base: Duration = .milliseconds(100), factor: Double = 2, cap: Duration = .seconds(20)) {
            self.base = base
            self.factor = factor
            self.cap = cap
        }

        /// The wait before a repetition.
        /// - Parameters:
        ///   - repetition: Which one, from 1.
        ///   - draw: The random number, 0 to 1.
        /// - Returns: The wait.
        public func wait(before repetition: Int, draw: Double) -> Duration {
            let cap = min(max(0, self.cap / .seconds(1)), 86_400)
            let bound = max(0, base / .seconds(1)) * pow(max(1, factor), Double(max(0, repetition - 1)))
            // A bound beyond all numbers is the cap, too.
            let wait = min(bound, cap) * min(max(0, draw), 1)
            return .seconds(wait.isFinite ? wait : cap)
        }
    }
}
