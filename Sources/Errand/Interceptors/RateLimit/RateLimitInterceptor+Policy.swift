extension RateLimitInterceptor {
    /// How fast, and how many at once, requests go to one host.
    ///
    /// ```swift
    /// var policy = RateLimitInterceptor.Policy()
    /// policy.rate = RateLimitInterceptor.Policy.Rate(10, per: .seconds(1), burst: 20)
    /// policy.concurrency = 4
    /// let session = PlatformSession.platform.intercepted(by: RetryInterceptor(), RateLimitInterceptor(policy))
    /// ```
    public struct Policy: Sendable, Hashable {
        /// So many requests in a time: a token bucket that begins full.
        public struct Rate: Sendable, Hashable {
            /// How many requests in each interval, within 1 and 1,000,000,000.
            public var requests: Int
            /// The interval, within zero and a day.
            public var interval: Duration
            /// How many may go at once after a rest, within 1 and 1,000,000.
            public var burst: Int

            /// Makes a rate; without a burst, all of an interval's requests may go at once after a rest.
            public init(_ requests: Int, per interval: Duration = .seconds(1), burst: Int? = nil) {
                self.requests = requests
                self.interval = interval
                self.burst = burst ?? requests
            }
        }

        /// A rate of your own; nil, the default: none but the server's.
        public var rate: Rate?
        /// The most requests to one host at once, at least 1; nil, the default: no bound.
        public var concurrency: Int?
        /// The longest wait for a rate, the server's or your own: 60 seconds. A call that would have to wait longer fails at
        /// once. The wait for a place among ``concurrency``, and what calls of a higher priority add by coming later, are
        /// bounded by the call's deadline alone.
        public var longestWait: Duration = .seconds(60)
        /// Whether the server's limits are obeyed: its rate limit headers in any response, `Retry-After` with one of
        /// ``pauseStatuses``, and one of ``refusalStatuses`` without either. Default: `true`.
        public var obeysServer: Bool = true
        /// The statuses with which a server refuses a request because there were too many. Defaults to 429.
        ///
        /// If such a response names no time, requests to the host wait for ``pause``.
        public var refusalStatuses: Set<Int> = [429]
        /// The statuses whose `Retry-After` is obeyed (RFC 9110, section 10.2.3). Default: 429 and 503.
        ///
        /// If such a response reports an empty quota without a reset time, requests to the host wait for ``pause``.
        public var pauseStatuses: Set<Int> = [429, 503]
        /// The pause after a refusal that names none: 1 second, within zero and a day. Also how long the calls that a limit held up
        /// wait for the answer to the first of them, which may bring the next limit.
        public var pause: Duration = .seconds(1)

        /// Makes the default policy.
        public init() {}

        /// GitHub's limits: its secondary limits come as 403, or as 200 in GraphQL, with `Retry-After` or
        /// `X-RateLimit-Remaining: 0`. A refusal that names no time means a pause of one minute.
        public static var github: Policy {
            var policy = Policy()
            policy.pauseStatuses = [200, 403, 429, 503]
            policy.pause = .seconds(60)
            return policy
        }
    }
}
