/// Stops sending requests to an origin (scheme, host and port) that fails repeatedly, so that callers fail fast and
/// the server can recover.
///
/// Each origin has its own circuit. After ``CircuitBreakerInterceptor/Policy/failures`` consecutive failures it opens,
/// and requests fail with ``ServiceError/Code/circuitOpen``. After ``CircuitBreakerInterceptor/Policy/openTime``, one
/// request is sent as a probe, and other requests are refused until the probe has ended. If the probe succeeds, the
/// circuit closes. If it fails, the circuit opens again. A cancelled request does not count, unless its deadline has
/// passed: then it counts as a timeout.
///
/// Add this interceptor inside ``RetryInterceptor``, so that each attempt counts, and inside ``RateLimitInterceptor``,
/// so that waits there do not count as failures. In buffered delivery, an error in the body counts. In streamed
/// delivery, only the header section counts.
///
/// The interceptor uses the clock of each request (``RequestOptions/time``). All requests of a session must share one
/// clock.
public final class CircuitBreakerInterceptor: Interceptor {
    /// The maximum number of stored origins.
    private static let maximumHosts = 1_000

    private let policy: CircuitBreakerInterceptor.Policy
    private let table: CircuitBreakerTable

    /// Creates the interceptor.
    /// - Parameter policy: The failures that open a circuit, and the time for which it stays open.
    public convenience init(_ policy: CircuitBreakerInterceptor.Policy = CircuitBreakerInterceptor.Policy()) {
        self.init(policy, maximumHosts: Self.maximumHosts)
    }

    package init(_ policy: CircuitBreakerInterceptor.Policy, maximumHosts: Int) {
        self.policy = policy
        table = CircuitBreakerTable(policy, limit: max(1, maximumHosts))
    }

    /// The number of stored origins: those with failures since their last success.
    package var hosts: Int { table.hosts }

    /// Sends a request, unless the circuit of its origin is open.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/circuitOpen`` and ``ServiceError/retryAfter``. The error of
    ///   the session.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let pass: CircuitBreakerMachine.Pass
        switch table.ask(request) {
        case .go(let granted): pass = granted
        case .refuse(let wait): throw refusal(of: request, wait)
        }
        if pass.isProbe { request.options.trail?.note("half-open: this request is the probe", from: .breaker) }
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
        // A failure after a redirect to another origin belongs to that origin. The first origin has responded.
        return outcome == .failure && Origin(head.url) != Origin(request.url) ? .success : outcome
    }

    private func outcome(of error: any Error, _ request: APIRequest) -> CircuitBreakerInterceptor.Policy.Outcome {
        let error = ServiceError(wrapping: error, as: .transport, "the session failed")
        guard Task.isCancelled || error.code == .cancelled else { return policy.outcome(of: error.code) }
        // A caller cancels the request at its deadline. This counts as a timeout.
        return request.options.timeLeft.map { $0 <= .zero } == true ? policy.outcome(of: .timeout) : .nothing
    }

    private func end(
        _ request: APIRequest, _ pass: CircuitBreakerMachine.Pass, _ outcome: CircuitBreakerInterceptor.Policy.Outcome
    ) {
        guard let change = table.end(request, pass, outcome) else { return }
        request.options.trail?.note(note(of: change), from: .breaker)
    }

    private func refusal(of request: APIRequest, _ wait: Duration?) -> ServiceError {
        let why = wait.map { "for another \($0.milliseconds) ms" } ?? "until the present probe has ended"
        request.options.trail?.note("refused: the circuit is open \(why)", from: .breaker)
        var error = ServiceError(
            .circuitOpen, "request not sent after repeated failures: the circuit of the origin is open \(why)")
        error.retryAfter = wait
        return error
    }

    private func note(of change: CircuitBreakerMachine.Change) -> String {
        switch change {
        case .opened(let count): "open for \(openTime) ms, after \(count) failures in a row"
        case .openedAgain: "open for another \(openTime) ms: the probe failed"
        case .closed: "closed: the probe succeeded"
        case .probeLost: "half-open: the probe ended without an outcome, the next request is the probe"
        }
    }

    private var openTime: String { min(max(.zero, policy.openTime), .seconds(86_400)).milliseconds }
}
