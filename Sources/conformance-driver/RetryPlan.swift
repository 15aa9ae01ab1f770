import Errand

/// What a retry policy makes of a row of outcomes.
struct RetryPlan {
    private let fields: OrderedJSON

    init(_ fields: OrderedJSON) {
        self.fields = fields
    }

    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` for a line that can't be read.
    func answer() throws(ServiceError) -> Operation.Answer {
        let mayRepeat = HTTPMethod(fields["method"]?.string ?? "GET").isIdempotent || fields["idempotent"]?.bool == true
        var machine = RetryMachine(policy, mayRepeat: mayRepeat)
        var budget = budget ?? RetryBudget(capacity: 0, retryCost: 0, timeoutCost: 0)
        var moment = RetryMachine.Moment(draw: fields["policy"]?["jitter"]?.double ?? 1)
        if let now = fields["now"]?.string { moment.date = try date(now) }
        var steps: [OrderedJSON] = []
        for outcome in fields["outcomes"]?.elements ?? [] {
            let verdict = machine.decide(after: try self.outcome(outcome), &budget, moment)
            var step: [(key: String, value: OrderedJSON)] = [("outcome", .string(verdict.name))]
            if case .retry(let wait, _) = verdict {
                step.append(("delayMs", .number("\(Int64((wait / .milliseconds(1)).rounded()))")))
            }
            if self.budget != nil { step.append(("budgetLeft", .number("\(budget.tokens)"))) }
            steps.append(.object(step))
            guard case .retry = verdict else { break }
        }
        return [("steps", .array(steps))]
    }

    private var policy: RetryPolicy {
        var policy = RetryPolicy()
        let given = fields["policy"]
        if let attempts = given?["maxAttempts"]?.double { policy.attempts = Int(clamping: attempts) }
        if let base = given?["baseMs"]?.double { policy.backoff.base = .seconds(base / 1_000) }
        if let cap = given?["capMs"]?.double { policy.backoff.cap = .seconds(cap / 1_000) }
        if let factor = given?["factor"]?.double { policy.backoff.factor = factor }
        // The protocol knows no longest wait.
        policy.longestWait = .seconds(86_400)
        if budget == nil { policy.budget = nil }
        return policy
    }

    private var budget: RetryBudget? {
        guard let given = fields["policy"]?["budget"], given.members != nil else { return nil }
        let number = { (key: String) in given[key]?.double.map { Int(clamping: $0) } }
        return RetryBudget(
            capacity: number("tokens") ?? 500, retryCost: number("retryCost") ?? 5,
            timeoutCost: number("timeoutCost") ?? 10, refund: number("refund") ?? 1)
    }

    private func date(_ text: String) throws(ServiceError) -> Date {
        do {
            return try Date.ISO8601FormatStyle().parse(text)
        } catch {
            throw ServiceError(.configuration, "now is no date of RFC 3339")
        }
    }

    private func outcome(_ fields: OrderedJSON) throws(ServiceError) -> RetryMachine.Outcome {
        if let kind = fields["networkError"]?.string {
            let code: ServiceError.Code =
                switch kind {
                case "timeout": .timeout
                case "reset", "closed", "aborted": .connectionLost
                default: .connection
                }
            return .failure(ServiceError(code, kind.isEmpty ? "a network error" : kind))
        }
        guard let status = fields["status"]?.double else {
            throw ServiceError(.configuration, "an outcome has neither a status nor a networkError")
        }
        let pairs = (fields["headers"]?.elements ?? []).compactMap(\.elements)
        return .status(
            Int(clamping: status),
            HeaderFields(pairs.map { HeaderFields.Field($0.first?.string ?? "", $0.dropFirst().first?.string ?? "") }))
    }
}

extension RetryMachine.Verdict {
    /// The protocol's name of it.
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

extension OrderedJSON {
    var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }
    fileprivate var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
}

extension Int {
    /// The nearest integer that there is.
    init(clamping number: Double) {
        self = number.isNaN ? 0 : Int(Swift.max(-1e15, Swift.min(1e15, number)))
    }
}
