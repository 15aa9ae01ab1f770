/// Decides for one host whether a call may go, without doing anything itself.
///
/// Closed, it counts failures in a row. Open, it refuses. After its time it is half-open: one call is the probe, whose
/// outcome closes it or opens it again; the others are refused meanwhile.
package struct CircuitBreakerMachine: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        case closed(failures: Int)
        case open(until: Duration)
        case halfOpen(isProbing: Bool)
    }

    /// What a call that may go brings back at its end.
    package struct Pass: Sendable, Hashable {
        package let isProbe: Bool
        fileprivate let generation: Int

        /// The pass of a call to a host that nothing is known of.
        package static let free = Pass(isProbe: false, generation: 0)
    }

    package enum Decision: Sendable, Hashable {
        case go(Pass)
        /// Nil where the probe is under way: nobody knows for how long.
        case refuse(retryAfter: Duration?)
    }

    package enum Change: Sendable, Hashable {
        case opened(failures: Int)
        case openedAgain
        case closed
        /// The probe ended without saying anything: the next call is one.
        case probeLost
    }

    package private(set) var state = State.closed(failures: 0)
    /// Grows whenever the circuit opens or closes, so that calls from before say nothing about after.
    private var generation = 0
    private let failures: Int
    private let openTime: Duration

    package init(_ policy: CircuitBreakerInterceptor.Policy) {
        failures = max(1, policy.failures)
        openTime = min(max(.zero, policy.openTime), .seconds(86_400))
    }

    /// Whether there is nothing to remember.
    package var isIdle: Bool { state == .closed(failures: 0) }

    /// Asks for one call, which brings a pass back with ``end(_:_:now:)``.
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

    /// Takes a call's outcome; one that began before the last change is too late to say anything.
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
