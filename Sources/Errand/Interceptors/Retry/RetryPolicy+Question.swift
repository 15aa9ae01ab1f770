import ErrandSupport

extension RetryPolicy {
    /// The argument of ``RetryPolicy/decide``: a failed attempt that the policy would retry.
    public struct Question: Sendable {
        /// The request, or `nil` in tests of a closure.
        public let request: APIRequest?
        /// The number of attempts that have ended, at least 1.
        public let attempts: Int
        /// The outcome of the last attempt.
        public let outcome: RetryPolicy.Outcome
        /// The reason why the outcome is retryable.
        public let reason: RetryPolicy.Reason
        /// The wait that the policy proposes.
        public let wait: Duration

        /// Creates an argument for tests of your closures.
        public init(
            request: APIRequest? = nil, attempts: Int, outcome: RetryPolicy.Outcome, reason: RetryPolicy.Reason,
            wait: Duration
        ) {
            self.request = request
            self.attempts = attempts
            self.outcome = outcome
            self.reason = reason
            self.wait = wait
        }
    }
}

extension RetryPolicy {
    /// The result of ``RetryPolicy/decide``.
    public enum Decision: Sendable, Hashable {
        /// Retry after the proposed wait.
        case asProposed
        /// Retry after another wait.
        case after(Duration)
        /// Do not retry. The text is the reason for the trail.
        case stop(String)
    }
}

extension RetryPolicy {
    /// The outcome of an attempt.
    public enum Outcome: Sendable {
        /// A response, with its status and headers.
        case status(Int, HeaderFields)
        /// An error of the session.
        case failure(ServiceError)
    }
}

extension RetryPolicy.Outcome {
    /// The headers of the response, or `nil` for an error.
    var headers: HeaderFields? {
        if case .status(_, let headers) = self { headers } else { nil }
    }

    /// The status of the response, or 0 for an error.
    var status: Int {
        if case .status(let status, _) = self { status } else { 0 }
    }

    /// Whether the outcome is a response with a status below 400.
    var isSuccess: Bool { (100..<400).contains(status) }
}

extension RetryMachine.StopReason: CustomStringConvertible {
    /// A clause without secrets.
    package var description: String {
        switch self {
        case .attempts: "not retried: the maximum number of attempts is reached"
        case .budget: "not retried: the retry budget of the origin is used up"
        case .notRepeatable:
            "not retried: expected an idempotent method or an \(RequestOptions.Idempotency.field) header, and a "
                + "body that can be sent again"
        case .permanent: "not retried: the failure is permanent"
        case .tooLong(let wait): "not retried: the wait of \(wait.milliseconds) ms exceeds maximumWait"
        case .tooLate(let wait, let left):
            "not retried: the wait of \(wait.milliseconds) ms exceeds the \(max(.zero, left).milliseconds) ms until the deadline"
        case .decided(let why): "not retried: \(why.singleLine(limit: 120))"
        }
    }
}
