/// A subject of a comparison: a name, and a closure that runs a block and returns the number of runs.
struct Variant {
    let name: String
    let run: @Sendable (_ block: Block) async throws -> Int
}

extension Variant {
    /// Runs a synchronous step sequentially.
    init<Result>(_ name: String, _ step: @escaping @Sendable () throws -> Result) {
        self.init(name: name) { block in
            var lane = block.lane(0, of: 1)
            while lane.next() { keep(try step()) }
            return lane.runs
        }
    }

    /// Runs an asynchronous step sequentially in one task.
    init<Result>(awaiting name: String, _ step: @escaping @Sendable () async throws -> Result) {
        self.init(name: name) { block in
            var lane = block.lane(0, of: 1)
            while lane.next() { keep(try await step()) }
            return lane.runs
        }
    }

    /// Runs an asynchronous step sequentially, called from the main actor.
    init<Result: Sendable>(onMainActor name: String, _ step: @escaping @concurrent @Sendable () async throws -> Result)
    {
        self.init(name: name) { @MainActor block in
            var lane = block.lane(0, of: 1)
            while lane.next() { keep(try await step()) }
            return lane.runs
        }
    }

    /// Runs a call in concurrent lanes. Each lane starts a call when its previous call has ended.
    init<Result>(
        _ name: String, inFlight lanes: Int, _ call: @escaping @Sendable (_ lane: Int) async throws -> Result
    ) {
        self.init(name: name) { block in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<lanes {
                    // The time of all lanes starts now. A lane that never waits would otherwise delay that of later ones.
                    let start = block.lane(number, of: lanes)
                    group.addTask {
                        var lane = start
                        while lane.next() { keep(try await call(number)) }
                        return lane.runs
                    }
                }
                return try await group.reduce(0, +)
            }
        }
    }
}

/// Prevents the optimizer from removing a result and its computation.
@inline(never) private func keep<Value>(_ value: Value) {}
