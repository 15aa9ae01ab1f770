/// Decides after each attempt whether the request is retried. It does no I/O.
///
/// ```swift
/// var machine = RetryMachine(policy, isRetryable: true)
/// var budget = RetryPolicy.Budget()
/// machine.decide(after: .status(503, headers), &budget, RetryMachine.Moment(draw: 0.5))    // .retry(after: 0.05 s, …)
/// ```
package struct RetryMachine: Sendable {
    /// The circumstances of a decision.
    package struct Moment: Sendable {
        /// A random number from 0 to 1.
        package var draw: Double
        /// The wall-clock time, for dates in response headers.
        package var date: Date
        /// The time until the deadline, or `nil` without a deadline.
        package var remaining: Duration?
        /// The request, for ``RetryPolicy/decide``.
        package var request: APIRequest?

        /// Creates the circumstances of a decision.
        package init(draw: Double, date: Date = Date(), remaining: Duration? = nil, request: APIRequest? = nil) {
            self.draw = draw
            self.date = date
            self.remaining = remaining
            self.request = request
        }
    }

    /// The action after an attempt.
    package enum Decision: Sendable, Hashable {
        /// Return the outcome, which is a success.
        case success
        /// Retry after a wait.
        case retry(after: Duration, because: RetryPolicy.Reason)
        /// Return the outcome without a retry, for the given reason.
        case giveUp(StopReason)
    }

    /// The reason why a request is not retried.
    package enum StopReason: Sendable, Hashable {
        /// The maximum number of attempts is reached.
        case attempts
        /// The budget of the origin is used up.
        case budget
        /// The request must not be sent twice, for example because its method is not idempotent and it has no
        /// `Idempotency-Key` header.
        case notRepeatable
        /// The failure is permanent.
        case permanent
        /// The wait in `Retry-After` exceeds ``RetryPolicy/maximumWait``.
        case tooLong(Duration)
        /// The wait exceeds the time until the deadline.
        case tooLate(Duration, left: Duration)
        /// The ``RetryPolicy/decide`` closure stopped the retry.
        case decided(String)
    }

    private let policy: RetryPolicy
    private let isRetryable: Bool
    /// The number of attempts that have ended.
    package private(set) var attempts: Int = 0
    private var counts: [RetryPolicy.Reason: Int] = [:]
    /// The tokens that the present attempt took from the budget.
    private var spent: Int?

    /// Creates the machine of one API call.
    package init(_ policy: RetryPolicy, isRetryable: Bool) {
        self.policy = policy
        self.isRetryable = isRetryable
    }

    /// Decides after an attempt. Takes the cost of a retry from the budget, or returns tokens after a success.
    package mutating func decide(
        after outcome: RetryPolicy.Outcome, _ budget: inout RetryPolicy.Budget, _ moment: Moment
    ) -> Decision {
        attempts += 1
        guard let reason = reason(of: outcome) else {
            guard outcome.isSuccess else { return .giveUp(.permanent) }
            budget.giveBack(spent)
            return .success
        }
        let decision = decided(proposal(for: reason, outcome, moment), outcome, moment)
        guard case .retry(_, let reason) = decision else { return decision }
        guard let cost = budget.take(for: reason) else { return .giveUp(.budget) }
        if policy.budget != nil { spent = cost }
        return decision
    }
}

extension RetryMachine {
    /// The reason why the outcome is retryable, or `nil` for a success or a permanent failure.
    private func reason(of outcome: RetryPolicy.Outcome) -> RetryPolicy.Reason? {
        switch outcome {
        case .status(let status, _): policy.statuses.contains(status) ? .status(status) : nil
        case .failure(let error):
            switch error.code {
            case .connection: policy.retriesConnections ? .connection : nil
            case .connectionLost: policy.retriesConnections ? .connectionLost : nil
            case .timeout: policy.retriesTimeouts ? .timeout : nil
            default: nil
            }
        }
    }

    private mutating func proposal(for reason: RetryPolicy.Reason, _ outcome: RetryPolicy.Outcome, _ moment: Moment)
        -> Decision
    {
        guard isRetryable else { return .giveUp(.notRepeatable) }
        let count = counts[reason, default: 0] + 1
        counts[reason] = count
        guard attempts < min(max(1, policy.attempts), 100), count < policy.attemptsPerReason[reason] ?? .max else {
            return .giveUp(.attempts)
        }
        let asked = outcome.headers.flatMap { RetryAfter.wait($0, now: moment.date) }
        // The usual cause is a reused connection that the server has closed. A new connection needs no wait.
        let isStale = reason == .connectionLost && count == 1
        let own: Duration = isStale ? .zero : policy.backoff.wait(before: attempts, draw: moment.draw)
        let wait = max(own, asked ?? .zero)
        guard asked ?? .zero <= policy.maximumWait else { return .giveUp(.tooLong(wait)) }
        return Self.retry(after: wait, reason, moment)
    }

    private static func retry(after wait: Duration, _ reason: RetryPolicy.Reason, _ moment: Moment) -> Decision {
        if let left = moment.remaining, wait >= left { return .giveUp(.tooLate(wait, left: left)) }
        return .retry(after: wait, because: reason)
    }

    /// Calls the ``RetryPolicy/decide`` closure and applies the same limits to its wait.
    private func decided(_ proposal: Decision, _ outcome: RetryPolicy.Outcome, _ moment: Moment) -> Decision {
        guard let decide = policy.decide, case .retry(let wait, let reason) = proposal else { return proposal }
        let question = RetryPolicy.Question(
            request: moment.request, attempts: attempts, outcome: outcome, reason: reason, wait: wait)
        switch decide(question) {
        case .asProposed: return proposal
        case .after(let other):
            return Self.retry(after: min(max(.zero, other), policy.maximumWait), reason, moment)
        case .stop(let why): return .giveUp(.decided(why))
        }
    }
}
