import Errand

/// The decisions of a retry policy for a sequence of outcomes.
struct RetryPlan {
    private let fields: OrderedJSON

    init(_ fields: OrderedJSON) {
        self.fields = fields
    }

    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` for an invalid request.
    func answer() throws(ServiceError) -> Operation.Answer {
        let isRetryable =
            HTTPMethod(fields["method"]?.string ?? "GET").isIdempotent || fields["idempotent"]?.bool == true
        let given = try budget()
        var machine = RetryMachine(try policy(hasBudget: given != nil), isRetryable: isRetryable)
        var budget = given ?? RetryPolicy.Budget(capacity: 0, retryCost: 0, timeoutCost: 0)
        var moment = RetryMachine.Moment(draw: try settings.number("jitter", in: 0...1) ?? 1)
        if let now = fields["now"]?.string { moment.date = try date(now) }
        var steps: [OrderedJSON] = []
        for outcome in fields["outcomes"]?.elements ?? [] {
            let decision = machine.decide(after: try self.outcome(outcome), &budget, moment)
            var step: [(key: String, value: OrderedJSON)] = [("outcome", .string(decision.name))]
            if case .retry(let wait, _) = decision {
                step.append(("delayMs", .number("\(Int64((wait / .milliseconds(1)).rounded()))")))
            }
            if given != nil { step.append(("budgetLeft", .number("\(budget.tokens)"))) }
            steps.append(.object(step))
            guard case .retry = decision else { break }
        }
        return [("steps", .array(steps))]
    }

    private var settings: OrderedJSON { fields["policy"] ?? .null }

    private func policy(hasBudget: Bool) throws(ServiceError) -> RetryPolicy {
        var policy = RetryPolicy()
        if let attempts = try settings.integer("maxAttempts") { policy.attempts = attempts }
        if let base = try settings.number("baseMs") { policy.backoff.base = .seconds(base / 1_000) }
        if let cap = try settings.number("capMs") { policy.backoff.cap = .seconds(cap / 1_000) }
        if let factor = try settings.number("factor") { policy.backoff.factor = factor }
        // The protocol has no maximum wait.
        policy.maximumWait = .seconds(86_400)
        if !hasBudget { policy.budget = nil }
        return policy
    }

    private func budget() throws(ServiceError) -> RetryPolicy.Budget? {
        guard let given = settings["budget"], given.members != nil else { return nil }
        return RetryPolicy.Budget(
            capacity: try given.integer("tokens") ?? 500, retryCost: try given.integer("retryCost") ?? 5,
            timeoutCost: try given.integer("timeoutCost") ?? 10, refund: try given.integer("refund") ?? 1)
    }

    private func date(_ text: String) throws(ServiceError) -> Date {
        do {
            return try Date.ISO8601FormatStyle().parse(text)
        } catch {
            throw ServiceError(.configuration, "invalid now: expected a date in the format of RFC 3339")
        }
    }

    private func outcome(_ fields: OrderedJSON) throws(ServiceError) -> RetryPolicy.Outcome {
        if let kind = fields["networkError"]?.string {
            let code: ServiceError.Code =
                switch kind {
                case "timeout": .timeout
                case "reset", "closed", "aborted": .connectionLost
                default: .connection
                }
            return .failure(ServiceError(code, kind.isEmpty ? "a network error" : kind))
        }
        guard let status = try fields.integer("status", in: 0...999) else {
            throw ServiceError(.configuration, "invalid outcome: expected a status or a networkError")
        }
        let pairs = (fields["headers"]?.elements ?? []).compactMap(\.elements)
        return .status(
            status,
            HeaderFields(pairs.map { HeaderFields.Field($0.first?.string ?? "", $0.dropFirst().first?.string ?? "") }))
    }
}

extension RetryMachine.Decision {
    /// The name of the decision in the protocol.
    fileprivate var name: String {
        switch self {
        case .success: "success"
        case .retry: "retry"
        case .giveUp(.attempts): "max-attempts"
        case .giveUp(.budget): "budget"
        case .giveUp: "not-retryable"
        }
    }
}
