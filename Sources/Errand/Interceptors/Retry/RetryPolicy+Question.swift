import ErrandSupport

extension RetryPolicy {
    /// What a policy's own ``RetryPolicy/decide`` is asked: a request may be sent again, and would be.
    public struct Question: Sendable {
        /// What may be sent again; `nil` in tests of a decision.
        public let request: APIRequest?
        /// How many attempts have ended, at least 1.
        public let attempts: Int
        /// What came of the last one.
        public let outcome: RetryPolicy.Outcome
        /// What about it may pass.
        public let reason: RetryPolicy.Reason
        /// The wait that the policy would make.
        public let wait: Duration

        /// Makes a question, for tests of your own decisions.
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
    /// What ``RetryPolicy/decide`` answers.
    public enum Decision: Sendable, Hashable {
        /// As the policy would.
        case asProposed
        /// After another wait.
        case after(Duration)
        /// Not again; why, for the trail.
        case stop(String)
    }
}

extension RetryPolicy {
    /// What came of an attempt.
    public enum Outcome: Sendable {
        /// An answer, with the fields of its head.
        case status(Int, HeaderFields)
        /// An error.
        case failure(ServiceError)
    }
}

extension RetryPolicy.Outcome {
    /// The fields of an answer.
    var fields: HeaderFields? {
        if case .status(_, let fields) = self { fields } else { nil }
    }

    /// The status of an answer; 0 for an error.
    var status: Int {
        if case .status(let status, _) = self { status } else { 0 }
    }

    /// Whether the server did what it was asked for.
    var isSuccess: Bool { (100..<400).contains(status) }
}

extension RetryMachine.StopReason: CustomStringConvertible {
    /// One clause that is safe to print.
    package var description: String {
        switch self {
        case .attempts: "sent as often as the policy allows"
        case .budget: "the host's retry budget is used up"
        case .notRepeatable: "not sent again: it may not be repeated without an \(RequestOptions.Idempotency.field)"
        case .permanent: "not sent again: nothing would change"
        case .tooLate(let wait): "not sent again: the wait of \(wait.milliseconds) ms would be too long"
        case .decided(let why): "not sent again: \(why.singleLine(limit: 120))"
        }
    }
}
