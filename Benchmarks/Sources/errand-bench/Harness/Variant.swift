/// One of the things that are compared: a name, and what does it for a block and says how many times it did.
struct Variant {
    let name: String
    let run: @Sendable (_ block: Block) async throws -> Int
}

extension Variant {
    /// A synchronous step, one after the other.
    init<Result>(_ name: String, _ step: @escaping @Sendable () throws -> Result) {
        self.init(name: name) { block in
            var lane = block.lane(0, of: 1)
            while lane.next() { keep(try step()) }
            return lane.runs
        }
    }

    /// An asynchronous step, one after the other, in one task.
    init<Result>(awaiting name: String, _ step: @escaping @Sendable () async throws -> Result) {
        self.init(name: name) { block in
            var lane = block.lane(0, of: 1)
            while lane.next() { keep(try await step()) }
            return lane.runs
        }
    }

    /// An asynchronous step, one after the other, called on the main actor.
    init<Result: Sendable>(onMainActor name: String, _ step: @escaping @concurrent @Sendable () async throws -> Result)
    {
        self.init(name: name) { @MainActor block in
            var lane = block.lane(0, of: 1)
            while lane.next() { keep(try await step()) }
            return lane.runs
        }
    }

    /// A call of which a number are on their way at once, each started when the one before it in its lane has ended.
    init<Result>(_ name: String, inFlight lanes: Int, _ call: @escaping @Sendable () async throws -> Result) {
        self.init(name: name) { block in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<lanes {
                    group.addTask {
                        var lane = block.lane(number, of: lanes)
                        while lane.next() { keep(try await call()) }
                        return lane.runs
                    }
                }
                return try await group.reduce(0, +)
            }
        }
    }
}

/// Keeps a result from being optimised away, and with it what made it.
@inline(never) private func keep<Value>(_ value: Value) {}
