extension RateLimitInterceptor {
    /// The request rate and the number of concurrent requests for one origin, and the server limits to obey.
    ///
    /// ```swift
    /// var policy = RateLimitInterceptor.Policy()
    /// policy.rate = RateLimitInterceptor.Policy.Rate(10, per: .seconds(1), burst: 20)
    /// policy.concurrency = 4
    /// let session = PlatformSession.platform.intercepted(by: RetryInterceptor(), RateLimitInterceptor(policy))
    /// ```
    public struct Policy: Sendable, Hashable {
        /// A number of requests per interval, implemented as a token bucket that is full at first.
        public struct Rate: Sendable, Hashable {
            /// The number of requests in each interval, from 1 to 1,000,000,000.
            public var requests: Int
            /// The interval, from zero to one day.
            public var interval: Duration
            /// The maximum number of requests that are sent at once after an idle period, from 1 to 1,000,000.
            public var burst: Int

            /// Creates a rate. If `burst` is `nil` (the default), all requests of an interval can be sent at once
            /// after an idle period.
            public init(_ requests: Int, per interval: Duration = .seconds(1), burst: Int? = nil) {
                self.requests = requests
                self.interval = interval
                self.burst = burst ?? requests
            }
        }

        /// The client's own rate. If `nil` (the default), only the server limits the rate.
        public var rate: Rate?
        /// The maximum number of concurrent requests to one origin, at least 1. If `nil` (the default), the number is
        /// unlimited.
        public var concurrency: Int?
        /// The maximum wait for the limit of the server or for ``rate``. The default is 60 seconds. A request that
        /// would have to wait longer fails immediately. The wait for ``concurrency`` is limited only by the deadline
        /// of the request. The same applies to the additional wait behind requests that have a higher priority and
        /// arrive later.
        public var maximumWait: Duration = .seconds(60)
        /// Whether the limits of the server are obeyed: its rate limit headers in any response, `Retry-After` with a
        /// status in ``pauseStatuses``, and a status in ``refusalStatuses`` without either. The default is `true`.
        public var obeysServer: Bool = true
        /// The statuses with which a server refuses a request because the client sent too many. The default is 429.
        ///
        /// If such a response has no reset time, requests to the origin wait for ``pause``.
        public var refusalStatuses: Set<Int> = [429]
        /// The statuses for which `Retry-After` is obeyed (RFC 9110, section 10.2.3). The defaults are 429 and 503.
        ///
        /// If such a response reports an empty quota without a reset time, requests to the origin wait for ``pause``.
        public var pauseStatuses: Set<Int> = [429, 503]
        /// The wait after a refusal that has no reset time, from zero to one day. The default is 1 second. After a
        /// limit ends, the next waiting request is also sent after this time if the first one has no response yet.
        /// That response may report a new limit.
        public var pause: Duration = .seconds(1)

        /// Creates the default policy.
        public init() {}

        /// A policy for GitHub. Its secondary rate limits are responses with status 403, or 200 in GraphQL, and
        /// `Retry-After` or `X-RateLimit-Remaining: 0`. A refusal without a reset time causes a wait of one minute.
        public static var github: Policy {
            var policy = Policy()
            policy.pauseStatuses = [200, 403, 429, 503]
            policy.pause = .seconds(60)
            return policy
        }
    }
}
