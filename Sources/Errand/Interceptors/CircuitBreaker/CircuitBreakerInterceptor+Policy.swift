extension CircuitBreakerInterceptor {
    /// When a host is left alone, and for how long.
    ///
    /// ```swift
    /// var policy = CircuitBreakerInterceptor.Policy()
    /// policy.failures = 3
    /// policy.openTime = .seconds(10)
    /// let session = PlatformSession.platform.intercepted(by: RetryInterceptor(), CircuitBreakerInterceptor(policy))
    /// ```
    public struct Policy: Sendable, Hashable {
        /// How many failures in a row open the circuit: 5, at least 1. Inside ``RetryInterceptor`` each attempt is one.
        public var failures: Int = 5
        /// How long it stays open before one request is let through: 30 seconds, within zero and a day.
        public var openTime: Duration = .seconds(30)
        /// The errors that are failures of the host: no connection, a lost one, a time-out, a TLS handshake that fails.
        ///
        /// A certificate that is refused is none of them: its own error says more than an open circuit would.
        public var codes: Set<ServiceError.Code> = [.connection, .connectionLost, .timeout, .tls]
        /// The statuses that are failures of the host: 502, 503 and 504. Every other answer is a success, 500 too: that one call
        /// fails at the server says nothing of the others.
        public var statuses: Set<Int> = [502, 503, 504]

        /// Makes the default policy.
        public init() {}
    }
}

extension CircuitBreakerInterceptor.Policy {
    /// What came of a call, as the host's health goes.
    package enum Outcome: Sendable, Hashable {
        case success
        case failure
        /// It says nothing about the host: the call was cancelled, or never got there.
        case nothing
    }

    package func outcome(ofStatus status: Int) -> Outcome { statuses.contains(status) ? .failure : .success }

    package func outcome(of code: ServiceError.Code) -> Outcome { codes.contains(code) ? .failure : .nothing }
}
