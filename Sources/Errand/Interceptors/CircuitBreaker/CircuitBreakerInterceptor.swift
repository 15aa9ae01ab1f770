/// Leaves a host alone that fails again and again, so that callers learn it at once and the host can recover.
///
/// Each host has a circuit of its own: after ``CircuitBreakerInterceptor/Policy/failures`` failures in a row it opens, and calls are
/// refused with ``ServiceError/Code/circuitOpen``; after ``CircuitBreakerInterceptor/Policy/openTime`` one call is let through as a
/// probe, the others are refused until that one has ended: well, and the circuit closes, or not, and it opens again. A
/// cancelled call says nothing about the host, unless its deadline has passed: that is a time-out.
///
/// Its place is inside ``RetryInterceptor``, so that each attempt counts, and inside ``RateLimitInterceptor``, so that
/// waiting there is no fault of the host's. In buffered delivery a body that fails is seen; in streamed delivery the head
/// decides.
///
/// It measures on the clock of each request (``RequestOptions/time``). All requests of a session must share one clock.
public final class CircuitBreakerInterceptor: Interceptor {
    /// How many hosts with failures are remembered: a thousand.
    private static let mostHosts = 1_000

    private let policy: CircuitBreakerInterceptor.Policy
    private let table: CircuitBreakerTable

    /// Makes the interceptor.
    /// - Parameter policy: The failures that count, when the circuit opens, and for how long.
    public convenience init(_ policy: CircuitBreakerInterceptor.Policy = CircuitBreakerInterceptor.Policy()) {
        self.init(policy, mostHosts: Self.mostHosts)
    }

    package init(_ policy: CircuitBreakerInterceptor.Policy, mostHosts: Int) {
        self.policy = policy
        table = CircuitBreakerTable(policy, limit: max(1, mostHosts))
    }

    /// How many hosts are remembered: those with failures since their last success.
    package var hosts: Int { table.hosts }

    /// Sends a request, unless its host's circuit is open.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/circuitOpen`` and ``ServiceError/retryAfter``; what the session
    ///   throws.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let pass: CircuitBreakerMachine.Pass
        switch table.ask(request) {
        case .go(let granted): pass = granted
        case .refuse(let wait): throw refusal(of: request, wait)
        }
        if pass.isProbe { request.options.trail?.note("half-open: this call is the probe", from: .breaker) }
        do {
            let response = try await next.send(request)
            end(request, pass, outcome(of: response.head, request))
            return response
        } catch {
            end(request, pass, outcome(of: error, request))
            throw error
        }
    }
}

extension CircuitBreakerInterceptor {
    private func outcome(of head: ResponseHead, _ request: APIRequest) -> CircuitBreakerInterceptor.Policy.Outcome {
        let outcome = policy.outcome(ofStatus: head.status)
        // Where a redirect was followed, the host that was asked has answered well.
        return outcome == .failure && Origin(head.url) != Origin(request.url) ? .success : outcome
    }

    private func outcome(of error: any Error, _ request: APIRequest) -> CircuitBreakerInterceptor.Policy.Outcome {
        let error = ServiceError(wrapping: error, as: .transport, "the session failed")
        guard Task.isCancelled || error.code == .cancelled else { return policy.outcome(of: error.code) }
        // Where a call's time is over, whoever waits for it cancels it: the host was too slow nevertheless.
        return request.options.timeLeft.map { $0 <= .zero } == true ? policy.outcome(of: .timeout) : .nothing
    }

    private func end(
        _ request: APIRequest, _ pass: CircuitBreakerMachine.Pass, _ outcome: CircuitBreakerInterceptor.Policy.Outcome
    ) {
        guard let change = table.end(request, pass, outcome) else { return }
        request.options.trail?.note(note(of: change), from: .breaker)
    }

    private func refusal(of request: APIRequest, _ wait: Duration?) -> ServiceError {
        let why = wait.map { "for another \($0.milliseconds) ms" } ?? "until the probe that is under way has ended"
        request.options.trail?.note("refused: the circuit is open \(why)", from: .breaker)
        var error = ServiceError(
            .circuitOpen, "the host has failed too often of late: no request is sent to it \(why)")
        error.retryAfter = wait
        return error
    }

    private func note(of change: CircuitBreakerMachine.Change) -> String {
        switch change {
        case .opened(let count): "open for \(openTime) ms, after \(count) failures in a row"
        case .openedAgain: "open for another \(openTime) ms: the probe failed"
        case .closed: "closed: the probe succeeded"
        case .probeLost: "half-open: the probe ended without an outcome, so that the next call is one"
        }
    }

    private var openTime: String { min(max(.zero, policy.openTime), .seconds(86_400)).milliseconds }
}
