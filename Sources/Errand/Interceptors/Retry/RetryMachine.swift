/// Decides after each attempt of a call whether the request is sent again. It does no I/O.
///
/// ```swift
/// var machine = RetryMachine(policy, mayRepeat: true)
/// var budget = RetryPolicy.Budget()
/// machine.decide(after: .status(503, fields), &budget, RetryMachine.Moment(draw: 0.5))    // .retry(after: 0.05 s, …)
/// ```
package struct RetryMachine: Sendable {
    /// What a decision depends on besides.
    package struct Moment: Sendable {
        /// The random number, 0 to 1.
        package var draw: Double
        /// The wall clock's time, for dates of servers.
        package var date: Date
        /// What the call has left; nil where it has no deadline.
        package var remaining: Duration?
        /// What may be sent again, for the policy's own ``RetryPolicy/decide``.
        package var request: APIRequest?

        /// Makes a moment.
        package init(draw: Double, date: Date = Date(), remaining: Duration? = nil, request: APIRequest? = nil) {
            self.draw = draw
            self.date = date
            self.remaining = remaining
            self.request = request
        }
    }

    /// What the interceptor does after an attempt.
    package enum Decision: Sendable, Hashable {
        /// The outcome is the call's, as nothing about it may pass.
        case success
        /// Send again after a wait.
        case retry(after: Duration, because: RetryPolicy.Reason)
        /// The outcome is the call's, though it might pass: why.
        case giveUp(StopReason)
    }

    /// Why a request is not sent again.
    package enum StopReason: Sendable, Hashable {
        /// It was sent as often as the policy allows.
        case attempts
        /// The host's budget is used up.
        case budget
        /// It must not be sent twice: its method is not idempotent and it has no `Idempotency-Key`.
        case notRepeatable
        /// The outcome would be the same.
        case permanent
        /// The wait would outlast the call's deadline, or the server asks for more than ``RetryPolicy/longestWait``.
        case tooLate(Duration)
        /// The policy's own closure said so.
        case decided(String)
    }

    private let policy: RetryPolicy
    private let mayRepeat: Bool
    /// How many attempts have ended.
    package private(set) var attempts: Int = 0
    private var counts: [RetryPolicy.Reason: Int] = [:]
    /// What the repetition that is under way took from the budget.
    private var spent: Int?

    /// Begins a call.
    package init(_ policy: RetryPolicy, mayRepeat: Bool) {
        self.policy = policy
        self.mayRepeat = mayRepeat
    }

    /// Decides after an attempt; takes from the budget what a repetition costs, or gives back what a success is worth.
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
    /// What about an outcome may pass; nil where nothing is wrong, or nothing would change.
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
        guard mayRepeat else { return .giveUp(.notRepeatable) }
        let count = counts[reason, default: 0] + 1
        counts[reason] = count
        guard attempts < min(max(1, policy.attempts), 100), count < policy.attemptsPerReason[reason] ?? .max else {
            return .giveUp(.attempts)
        }
        let asked = outcome.fields.flatMap { RetryAfter.wait($0, now: moment.date) }
        // Most often it is a kept connection that the server has closed meanwhile: a new one costs no wait.
        let isStale = reason == .connectionLost && count == 1
        let own: Duration = isStale ? .zero : policy.backoff.wait(before: attempts, draw: moment.draw)
        let wait = max(own, asked ?? .zero)
        guard wait < moment.remaining ?? .seconds(86_401), asked ?? .zero <= policy.longestWait else {
            return .giveUp(.tooLate(wait))
        }
        return .retry(after: wait, because: reason)
    }

    /// Asks the policy's own closure, whose wait has the same bounds.
    private func decided(_ proposal: Decision, _ outcome: RetryPolicy.Outcome, _ moment: Moment) -> Decision {
        guard let decide = policy.decide, case .retry(let wait, let reason) = proposal else { return proposal }
        let question = RetryPolicy.Question(
            request: moment.request, attempts: attempts, outcome: outcome, reason: reason, wait: wait)
        switch decide(question) {
        case .asProposed: return proposal
        case .after(let other):
            let wait = min(max(.zero, other), policy.longestWait)
            return wait < moment.remaining ?? .seconds(86_401)
                ? .retry(after: wait, because: reason) : .giveUp(.tooLate(wait))
        case .stop(let why): return .giveUp(.decided(why))
        }
    }
}
