extension CircuitBreakerInterceptor {
    /// The failures that open a circuit, and the time for which it stays open.
    ///
    /// ```swift
    /// var policy = CircuitBreakerInterceptor.Policy()
    /// policy.failures = 3
    /// policy.openTime = .seconds(10)
    /// let session = PlatformSession.platform.intercepted(by: RetryInterceptor(), CircuitBreakerInterceptor(policy))
    /// ```
    public struct Policy: Sendable, Hashable {
        /// The number of consecutive failures that open the circuit, at least 1. The default is 5. Inside
        /// ``RetryInterceptor``, each attempt counts.
        public var failures: Int = 5
        /// The time for which the circuit stays open before one request is sent as a probe, from zero to one day. The
        /// default is 30 seconds.
        public var openTime: Duration = .seconds(30)
        /// The errors that count as failures. The default is a failed connection, a lost connection, a timeout and a
        /// failed TLS handshake.
        ///
        /// A rejected certificate does not count by default, because its own error is more specific than an open
        /// circuit.
        public var codes: Set<ServiceError.Code> = [.connection, .connectionLost, .timeout, .tls]
        /// The statuses that count as failures. The defaults are 502, 503 and 504. A response with any other status is
        /// a success, including 500, because one request that fails on the server does not mean that other requests
        /// fail.
        public var statuses: Set<Int> = [502, 503, 504]

        /// Creates the default policy.
        public init() {}
    }
}

extension CircuitBreakerInterceptor.Policy {
    /// The outcome of a request with regard to the health of the origin.
    package enum Outcome: Sendable, Hashable {
        case success
        case failure
        /// The request provides no information about the origin: it was cancelled or was not sent.
        case nothing
    }

    package func outcome(ofStatus status: Int) -> Outcome { statuses.contains(status) ? .failure : .success }

    package func outcome(of code: ServiceError.Code) -> Outcome { codes.contains(code) ? .failure : .nothing }
}
