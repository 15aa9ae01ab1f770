import ErrandSupport

/// Sends requests again that failed for a reason that may pass.
///
/// Waits grow and are random (``RetryPolicy/Backoff``); a server's `Retry-After` is obeyed (RFC 9110, section 10.2.3) as far as the
/// deadline and ``RetryPolicy/longestWait`` allow. Only what may be repeated is: idempotent methods, requests with an
/// `Idempotency-Key`, and calls whose ``RequestOptions/idempotency`` says so. A lost connection is tried again at once the
/// first time: most often a kept one had been closed meanwhile.
///
/// In buffered delivery a body that fails is seen; in streamed delivery it decides on the head alone. Each attempt is in
/// the call's trail and in ``ServiceError/attempts``, with what followed from it. Each host has a budget of its own.
///
/// It waits on the request's clock (``RequestOptions/time``) and draws from its random source
/// (``RequestOptions/random``). A loader sets both.
public final class RetryInterceptor: Interceptor {
    /// How many hosts' budgets are remembered: a thousand.
    private static let mostHosts = 1_000

    private let policy: RetryPolicy
    /// The budgets that are not full, by origin.
    private let budgets = Locked<[Origin: RetryPolicy.Budget]>([:])

    /// Makes the interceptor.
    /// - Parameter policy: When, how often and how late.
    public init(_ policy: RetryPolicy = RetryPolicy()) {
        self.policy = policy
    }

    /// Sends a request, again where that may help.
    ///
    /// - Throws: What the last attempt threw, with all of them in ``ServiceError/attempts``; `CancellationError`.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let time = request.options.time
        var machine = RetryMachine(policy, mayRepeat: request.mayRepeat)
        var attempts: [Trail.Attempt] = []
        while true {
            let start = time.now
            let result: Ending
            do {
                result = try await attempt(request, next)
            } catch {
                recordCutOff(attempts.count + 1, since: start, request)
                throw error
            }
            let attempt = Trail.Attempt(result, elapsed: time.now - start)
            let decision = decide(&machine, result, request)
            let note = decision.note(after: attempts.count + 1)
            request.options.trail?.record(attempt, metrics: result.metrics, from: .retry, note)
            attempts.append(attempt.with(note))
            guard case .retry(let wait, _) = decision else { return try result.with(attempts).get() }
            if wait > .zero { try await time.sleep(until: time.now + wait) }
            try Task.checkCancellation()
        }
    }
}

extension RetryInterceptor {
    private typealias Ending = Result<APIResponse, ServiceError>

    /// Sends the request once.
    /// - Throws: `CancellationError`.
    private func attempt(_ request: APIRequest, _ next: any APISession) async throws -> Ending {
        do {
            return .success(try await next.send(request))
        } catch {
            // Whatever a session makes of it: a cancelled call ends as one.
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            return .failure(ServiceError(wrapping: error, as: .transport, "the session failed"))
        }
    }

    /// An attempt that its caller's end cuts off is one as well: whoever asks why a call took so long, finds it.
    private func recordCutOff(_ number: Int, since start: Duration, _ request: APIRequest) {
        let isLate = request.options.timeLeft.map { $0 <= .zero } ?? false
        let attempt = Trail.Attempt(
            status: nil, failure: isLate ? .timeout : .cancelled, elapsed: request.options.time.now - start)
        request.options.trail?.record(attempt, metrics: nil, from: .retry, "attempt \(number); cut off")
    }

    private func decide(_ machine: inout RetryMachine, _ ending: Ending, _ request: APIRequest) -> RetryMachine.Decision
    {
        let outcome: RetryPolicy.Outcome =
            switch ending {
            case .success(let response): .status(response.head.status, response.head.fields)
            case .failure(let error): .failure(error)
            }
        let isPlain = outcome.isSuccess && !policy.statuses.contains(outcome.status)
        // Most calls: nothing has failed, so that there is nothing to draw, and nothing to give back.
        if isPlain, machine.attempts == 0, budgets.withLock({ $0.isEmpty }) { return .success }
        let moment = RetryMachine.Moment(
            draw: request.options.random.fraction(), date: request.options.time.date,
            remaining: request.options.timeLeft, request: request)
        guard let full = policy.budget else {
            var none = RetryPolicy.Budget(capacity: 0, retryCost: 0, timeoutCost: 0, refund: 0)
            return machine.decide(after: outcome, &none, moment)
        }
        let origin = Origin(request.url)
        let before = machine
        let (after, decision) = budgets.withLock { budgets in
            var machine = before
            var budget = budgets[origin] ?? full
            let decision = machine.decide(after: outcome, &budget, moment)
            budgets[origin] = budget.isFull ? nil : budget
            if budgets.count > Self.mostHosts, let other = budgets.keys.first(where: { $0 != origin }) {
                budgets[other] = nil
            }
            return (machine, decision)
        }
        machine = after
        return decision
    }
}

extension Trail.Attempt {
    fileprivate func with(_ note: String?) -> Trail.Attempt {
        var attempt = self
        attempt.note = note
        return attempt
    }

    fileprivate init(_ ending: Result<APIResponse, ServiceError>, elapsed: Duration) {
        switch ending {
        case .success(let response): self.init(status: response.head.status, failure: nil, elapsed: elapsed)
        case .failure(let error): self.init(status: error.status, failure: error.code, elapsed: elapsed)
        }
    }
}

extension Result<APIResponse, ServiceError> {
    fileprivate var metrics: TransportMetrics? {
        if case .success(let response) = self { response.metrics } else { nil }
    }

    /// With what was tried, where this is an error.
    fileprivate func with(_ attempts: [Trail.Attempt]) -> Self {
        mapError { error in
            var error = error
            error.attempts = attempts
            return error
        }
    }
}

extension RetryMachine.Decision {
    /// What follows from an attempt, for the trail; nil where nothing does.
    fileprivate func note(after attempts: Int) -> String? {
        switch self {
        case .success: attempts > 1 ? "attempt \(attempts)" : nil
        case .retry(let wait, let reason): "attempt \(attempts); again in \(wait.milliseconds) ms: \(reason)"
        case .giveUp(.permanent): attempts > 1 ? "attempt \(attempts)" : nil
        case .giveUp(let why): "attempt \(attempts); \(why)"
        }
    }
}
