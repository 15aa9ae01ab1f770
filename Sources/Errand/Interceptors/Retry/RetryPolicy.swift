/// The retryable outcomes, the number of attempts, and the waits between them.
///
/// ```swift
/// var policy = RetryPolicy()
/// policy.attempts = 5
/// policy.attemptsPerReason[.timeout] = 2
/// policy.statuses.remove(500)
/// let session = PlatformSession.platform.intercepted(by: RetryInterceptor(policy))
/// ```
public struct RetryPolicy: Sendable {
    /// The maximum number of attempts, including the first, from 1 to 100. The default is 3.
    public var attempts: Int = 3
    /// A lower maximum for individual reasons: the number of attempts that may fail for this reason, including the
    /// first.
    public var attemptsPerReason: [Reason: Int] = [:]
    /// The retryable statuses. The defaults are 408, 429, 500, 502, 503 and 504.
    public var statuses: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// Whether a request is retried if the connection fails or is lost. The default is `true`.
    public var retriesConnections: Bool = true
    /// Whether a request is retried after a timeout of the attempt, such as the idle timeout. The default is `true`. A
    /// request is never retried after the deadline of the API call.
    public var retriesTimeouts: Bool = true
    /// The waits between attempts.
    public var backoff: Backoff = Backoff()
    /// The maximum `Retry-After` that is obeyed. The default is 60 seconds. If the server requires a longer wait, the
    /// request is not retried.
    public var maximumWait: Duration = .seconds(60)
    /// The retry budget of each origin, which limits the additional load during an outage. The default is `Budget()`.
    /// If `nil`, retries are not limited by a budget.
    public var budget: Budget? = Budget()
    /// A closure that can change or stop a proposed retry. Its argument contains the outcome and the proposed wait. It
    /// can choose another wait, up to ``maximumWait`` and the deadline, or stop. It cannot cause a retry of a request
    /// that is not repeatable, or more attempts than ``attempts``. The default is `nil`.
    public var decide: (@Sendable (Question) -> Decision)?

    /// Creates the default policy.
    public init() {}
}

extension RetryPolicy {
    /// The reason for a retry.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The text of the reason in the trail.
        public let rawValue: String

        private init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The text of the reason.
        public var description: String { rawValue }

        /// The connection attempt failed.
        public static let connection: Self = .init("no connection")
        /// The connection was lost.
        public static let connectionLost: Self = .init("connection lost")
        /// The attempt timed out.
        public static let timeout: Self = .init("timeout")
        /// The response had this status.
        public static func status(_ status: Int) -> Self { Self("status \(status)") }
    }
}

extension RetryPolicy {
    /// An exponential backoff: before the n-th retry, a random wait from 0 to `base × factorⁿ⁻¹`, at most `cap`.
    ///
    /// The complete wait is random ("full jitter"), so that clients that failed together do not retry together.
    public struct Backoff: Sendable, Hashable {
        /// The maximum of the first wait. The default is 100 ms.
        public var base: Duration
        /// The factor by which the maximum grows with each retry. The default is 2.
        public var factor: Double
        /// The upper limit of the maximum. The default is 20 seconds.
        public var cap: Duration

        /// Creates a backoff.
        public init(base: Duration = .milliseconds(100), factor: Double = 2, cap: Duration = .seconds(20)) {
            self.base = base
            self.factor = factor
            self.cap = cap
        }

        /// Returns the wait before a retry.
        /// - Parameters:
        ///   - repetition: The number of the retry, from 1.
        ///   - draw: A random number from 0 to 1.
        /// - Returns: The wait.
        public func wait(before repetition: Int, draw: Double) -> Duration {
            let cap = min(max(0, self.cap / .seconds(1)), 86_400)
            let bound = max(0, base / .seconds(1)) * pow(max(1, factor), Double(max(0, repetition - 1)))
            // An infinite maximum is limited to the cap, too.
            let wait = min(bound, cap) * min(max(0, draw), 1)
            return .seconds(wait.isFinite ? wait : cap)
        }
    }
}
