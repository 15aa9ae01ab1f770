/// The state machine of the circuit of one origin. It decides whether a request is sent. It does no I/O.
///
/// The closed circuit counts consecutive failures. The open circuit refuses requests. After the open time it is
/// half-open: one request is the probe, and its outcome closes the circuit or opens it again. Other requests are
/// refused meanwhile.
package struct CircuitBreakerMachine: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        case closed(failures: Int)
        case open(until: Duration)
        case halfOpen(isProbing: Bool)
    }

    /// Identifies a request that is sent.
    package struct Pass: Sendable, Hashable {
        package let isProbe: Bool
        fileprivate let generation: Int

        /// The pass of a request to an origin without stored failures.
        package static let free = Pass(isProbe: false, generation: 0)
    }

    package enum Decision: Sendable, Hashable {
        case go(Pass)
        /// The wait is `nil` while a probe runs, because its duration is unknown.
        case refuse(retryAfter: Duration?)
    }

    package enum Change: Sendable, Hashable {
        case opened(failures: Int)
        case openedAgain
        case closed
        /// The probe ended without an outcome. The next request is the probe.
        case probeLost
    }

    package private(set) var state = State.closed(failures: 0)
    /// Incremented each time the circuit opens or closes. Outcomes of requests that began earlier are ignored.
    private var generation = 0
    private let failures: Int
    private let openTime: Duration

    package init(_ policy: CircuitBreakerInterceptor.Policy) {
        failures = max(1, policy.failures)
        openTime = min(max(.zero, policy.openTime), .seconds(86_400))
    }

    /// Whether the state is the same as that of a new machine.
    package var isIdle: Bool { state == .closed(failures: 0) }

    /// Returns whether a request is sent. Its pass is required by ``end(_:_:now:)``.
    package mutating func ask(now: Duration) -> Decision {
        switch state {
        case .closed: return .go(Pass(isProbe: false, generation: generation))
        case .open(let until) where now < until: return .refuse(retryAfter: until - now)
        case .halfOpen(isProbing: true): return .refuse(retryAfter: nil)
        case .open, .halfOpen:
            state = .halfOpen(isProbing: true)
            return .go(Pass(isProbe: true, generation: generation))
        }
    }

    /// Handles the outcome of a request. It is ignored if the circuit has opened or closed since the request began.
    package mutating func end(_ pass: Pass, _ outcome: CircuitBreakerInterceptor.Policy.Outcome, now: Duration)
        -> Change?
    {
        guard pass.generation == generation else { return nil }
        switch (state, outcome) {
        case (.closed(let count), .failure): return fail(count + 1, now)
        case (.closed, .success):
            state = .closed(failures: 0)
            return nil
        case (.halfOpen(isProbing: true), _) where pass.isProbe: return probed(outcome, now)
        default: return nil
        }
    }
}

extension CircuitBreakerMachine {
    private mutating func fail(_ count: Int, _ now: Duration) -> Change? {
        guard count >= failures else {
            state = .closed(failures: count)
            return nil
        }
        open(now)
        return .opened(failures: count)
    }

    private mutating func probed(_ outcome: CircuitBreakerInterceptor.Policy.Outcome, _ now: Duration) -> Change {
        switch outcome {
        case .success:
            generation &+= 1
            state = .closed(failures: 0)
            return .closed
        case .failure:
            open(now)
            return .openedAgain
        case .nothing:
            state = .halfOpen(isProbing: false)
            return .probeLost
        }
    }

    private mutating func open(_ now: Duration) {
        generation &+= 1
        state = .open(until: now + openTime)
    }
}
