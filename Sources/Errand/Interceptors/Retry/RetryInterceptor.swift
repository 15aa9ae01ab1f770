import ErrandSupport

/// Retries requests that failed for a temporary reason.
///
/// The waits between attempts grow and are random (``RetryPolicy/Backoff``). `Retry-After` is obeyed (RFC 9110,
/// section 10.2.3), as far as the deadline and ``RetryPolicy/maximumWait`` allow. Only repeatable requests are
/// retried: requests with an idempotent method or an `Idempotency-Key` header, and requests that
/// ``RequestOptions/idempotency`` declares repeatable. After the first lost connection, the retry is immediate,
/// because the usual cause is a reused connection that the server has closed.
///
/// In buffered delivery, an error in the body is retried, too. In streamed delivery, the decision depends only on the
/// header section. Each attempt is recorded in the trail and in ``ServiceError/attempts``, with the decision that
/// followed. Each origin (scheme, host and port) has its own budget.
///
/// The interceptor waits on the clock of the request (``RequestOptions/time``) and uses its random source
/// (``RequestOptions/random``). A loader sets both.
public final class RetryInterceptor: Interceptor {
    /// The maximum number of stored budgets.
    private static let maximumHosts = 1_000

    private let policy: RetryPolicy
    /// The budgets that are not full, by origin.
    private let budgets = Locked<[Origin: RetryPolicy.Budget]>([:])

    /// Creates the interceptor.
    /// - Parameter policy: The retryable outcomes, the number of attempts, and the waits between them.
    public init(_ policy: RetryPolicy = RetryPolicy()) {
        self.policy = policy
    }

    /// Sends a request, and retries it as the policy allows.
    ///
    /// - Throws: The error of the last attempt, with all attempts in ``ServiceError/attempts``. `CancellationError`.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let time = request.options.time
        var machine = RetryMachine(policy, isRetryable: request.isRetryable)
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
            // A cancelled task always throws `CancellationError`, independent of the error of the session.
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            return .failure(ServiceError(wrapping: error, as: .transport, "the session failed"))
        }
    }

    /// Records an attempt that was ended by a cancellation or by the deadline, so that the trail shows its duration.
    private func recordCutOff(_ number: Int, since start: Duration, _ request: APIRequest) {
        let isLate = request.options.timeLeft.map { $0 <= .zero } ?? false
        let attempt = Trail.Attempt(
            status: nil, failure: isLate ? .timeout : .cancelled, elapsed: request.options.time.now - start)
        request.options.trail?.record(attempt, metrics: nil, from: .retry, "attempt \(number); interrupted")
    }

    private func decide(_ machine: inout RetryMachine, _ ending: Ending, _ request: APIRequest) -> RetryMachine.Decision
    {
        let outcome: RetryPolicy.Outcome =
            switch ending {
            case .success(let response): .status(response.head.status, response.head.headers)
            case .failure(let error): .failure(error)
            }
        let isPlain = outcome.isSuccess && !policy.statuses.contains(outcome.status)
        // The usual case: without a failure, no random number is drawn and no tokens are returned.
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
            if budgets.count > Self.maximumHosts, let other = budgets.keys.first(where: { $0 != origin }) {
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

    /// Adds the attempts to an error.
    fileprivate func with(_ attempts: [Trail.Attempt]) -> Self {
        mapError { error in
            var error = error
            error.attempts = attempts
            return error
        }
    }
}

extension RetryMachine.Decision {
    /// The note for the trail, or `nil` after a single attempt without a retry decision.
    fileprivate func note(after attempts: Int) -> String? {
        switch self {
        case .success: attempts > 1 ? "attempt \(attempts)" : nil
        case .retry(let wait, let reason): "attempt \(attempts); retry in \(wait.milliseconds) ms: \(reason)"
        case .giveUp(.permanent): attempts > 1 ? "attempt \(attempts)" : nil
        case .giveUp(let why): "attempt \(attempts); \(why)"
        }
    }
}
