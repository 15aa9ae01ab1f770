import Errand
import ErrandSupport

/// A store that fails, or stores in memory.
final class BreakableLimitStore: LimitStore {
    let memory: MemoryLimitStore
    let isBroken: Locked<Bool> = Locked(false)
    let calls: Locked<Int> = Locked(0)
    /// Called at the start of each call.
    private let begin: @Sendable () -> Void

    init(_ clock: some TimeSource, begin: @escaping @Sendable () -> Void = {}) {
        memory = MemoryLimitStore(time: clock)
        self.begin = begin
    }

    private func call() throws {
        calls.withLock { $0 += 1 }
        begin()
        if isBroken.withLock({ $0 }) { throw ServiceError(.connection, "the server refused the connection") }
    }

    func take(_ key: String, _ demand: LimitDemand) throws -> LimitDecision {
        try call()
        return memory.take(key, demand)
    }

    func update(_ grant: LimitGrant, of key: String) throws -> LimitGrant {
        try call()
        return memory.update(grant, of: key)
    }

    func observe(_ key: String, _ observation: LimitObservation) throws {
        try call()
        memory.observe(key, observation)
    }
}
