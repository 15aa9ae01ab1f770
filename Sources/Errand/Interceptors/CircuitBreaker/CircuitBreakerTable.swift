import ErrandSupport

/// The circuits of the origins with recent failures.
final class CircuitBreakerTable: Sendable {
    private typealias Machine = CircuitBreakerMachine

    private let policy: CircuitBreakerInterceptor.Policy
    private let limit: Int
    private let machines = Locked<[Origin: CircuitBreakerMachine]>([:])

    init(_ policy: CircuitBreakerInterceptor.Policy, limit: Int) {
        self.policy = policy
        self.limit = limit
    }

    /// The number of stored origins.
    var hosts: Int { machines.withLock { $0.count } }

    func ask(_ request: APIRequest) -> CircuitBreakerMachine.Decision {
        guard hosts > 0 else { return .go(.free) }
        let (origin, now) = (Origin(request.url), request.options.time.now)
        return machines.withLock { $0[origin]?.ask(now: now) ?? .go(.free) }
    }

    func end(
        _ request: APIRequest, _ pass: CircuitBreakerMachine.Pass, _ outcome: CircuitBreakerInterceptor.Policy.Outcome
    ) -> CircuitBreakerMachine.Change? {
        if hosts == 0, outcome != .failure { return nil }
        let (origin, now) = (Origin(request.url), request.options.time.now)
        return machines.withLock { machines in
            guard var machine = machines[origin] ?? (outcome == .failure ? Machine(policy) : nil) else { return nil }
            if machines[origin] == nil, machines.count >= limit, !Self.forgetOne(of: &machines) { return nil }
            let change = machine.end(pass, outcome, now: now)
            machines[origin] = machine.isIdle ? nil : machine
            return change
        }
    }

    /// Removes one circuit: a closed one, or else an open one. A circuit with a running probe is never removed.
    /// Returns `false` if there are only such circuits.
    private static func forgetOne(of machines: inout [Origin: CircuitBreakerMachine]) -> Bool {
        var victim: Origin?
        for (origin, machine) in machines {
            if case .closed = machine.state {
                victim = origin
                break
            }
            if machine.state != .halfOpen(isProbing: true) { victim = origin }
        }
        guard let victim else { return false }
        machines[victim] = nil
        return true
    }
}
