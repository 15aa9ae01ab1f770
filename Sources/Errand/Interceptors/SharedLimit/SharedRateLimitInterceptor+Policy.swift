extension SharedRateLimitInterceptor {
    /// The limit that the processes share, and what happens if its store fails.
    ///
    /// ```swift
    /// var policy = SharedRateLimitInterceptor.Policy(rate: .init(50, per: .seconds(1), burst: 1))
    /// policy.workers = 8
    /// let limit = SharedRateLimitInterceptor(policy, in: FolderLimitStore(folder))
    /// ```
    public struct Policy: Sendable, Hashable {
        /// What a process does if the store fails or does not respond within ``storeTimeout``.
        public enum FailureMode: Sendable, Hashable {
            /// The process limits itself to its share: the rate and the burst divided by ``workers``, at least one request a day
            /// and a burst of 1.
            case local
            /// Requests are sent without the rate. Pauses and quotas that the server reported to this process apply.
            case open
            /// Requests fail with ``ServiceError/Code/rateLimited``. Those with a reservation are sent.
            case closed
        }

        /// The rate of all processes together.
        public var rate: RateLimitInterceptor.Policy.Rate
        /// The name of the limit in the store, at most 256 bytes of UTF-8 (``LimitDemand/keyLimit``). If `nil` (the default),
        /// each origin and ``RequestOptions/identity`` has a separate limit. All processes must use the same name or identity.
        public var name: String?
        /// The expected number of processes, from 1 to 1,000,000, used while the store fails. The default is 1.
        public var workers: Int = 1
        /// What happens if the store fails. The default is ``FailureMode/local``.
        public var failureMode: FailureMode = .local
        /// The timeout of each call to the store, in real time. After it, the call is cancelled and the ``failureMode`` applies.
        /// The default is 500 ms. With a much shorter one, the mode also applies if the process or the store is only busy. A
        /// request waits at most half of its remaining time for the store, and a response a tenth of this timeout.
        public var storeTimeout: Duration = .milliseconds(500)
        /// The time after a failed call during which the store is not called again. The default is 1 second.
        public var storePause: Duration = .seconds(1)
        /// The maximum wait for the limit, from zero to one day. The default is 60 seconds. A request that would have to wait
        /// longer fails immediately.
        public var maximumWait: Duration = .seconds(60)
        /// Whether the limits in responses apply, as in ``RateLimitInterceptor/Policy/obeysServer``. The default is `true`.
        public var obeysServer: Bool = true
        /// The statuses of a refusal, as in ``RateLimitInterceptor/Policy/refusalStatuses``. The default is 429.
        public var refusalStatuses: Set<Int> = [429]
        /// The statuses for which `Retry-After` is obeyed, as in ``RateLimitInterceptor/Policy/pauseStatuses``. The defaults
        /// are 429 and 503.
        public var pauseStatuses: Set<Int> = [429, 503]
        /// The pause after a refusal without a reset time, from zero to one day. The default is 1 second.
        public var pause: Duration = .seconds(1)

        /// Creates a policy with the given rate.
        public init(rate: RateLimitInterceptor.Policy.Rate) {
            self.rate = rate
        }
    }
}

extension SharedRateLimitInterceptor.Policy {
    /// The rate of one process while the store fails.
    package var share: RateLimitInterceptor.Policy.Rate {
        let workers = min(max(1, workers), 1_000_000)
        var share = rate
        share.burst = max(1, rate.burst / workers)
        share.requests = min(max(1, rate.requests), 1_000_000_000)
        // A longer interval instead of fewer requests, so that nothing is lost by rounding.
        let longest = Duration.seconds(86_400)
        let interval = min(max(.zero, rate.interval), longest)
        if interval * workers <= longest {
            share.interval = interval * workers
        } else {
            share.interval = longest
            share.requests = max(1, Int(Double(share.requests) * (longest / (interval * workers))))
        }
        return share
    }

    /// The policy for the limits in responses.
    var reading: RateLimitInterceptor.Policy {
        var policy = RateLimitInterceptor.Policy()
        policy.refusalStatuses = refusalStatuses
        policy.pauseStatuses = pauseStatuses
        return policy
    }
}

extension SharedRateLimitInterceptor.Policy {
    /// Returns the timeout of a call to the store: at most half of the time before a deadline, so that the failure mode can still
    /// apply.
    package func storeTimeout(before deadline: Deadline?) -> Duration {
        deadline.map { min(storeTimeout, max(.zero, $0.remaining / 2)) } ?? storeTimeout
    }

    /// The longest wait of a received response for the store, and the shortest timeout that shows that the store has failed.
    package var shortStoreTimeout: Duration { storeTimeout / 10 }
}
