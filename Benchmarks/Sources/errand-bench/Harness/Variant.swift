/// One of the things that are compared: a name, and what does it a number of times.
struct Variant {
    let name: String
    let run: @Sendable (_ times: Int) async throws -> Void
}

extension Variant {
    /// A synchronous step, one after the other.
    init<Result>(_ name: String, _ step: @escaping @Sendable () throws -> Result) {
        self.init(name: name) { times in
            for _ in 0..<times { keep(try step()) }
        }
    }

    /// An asynchronous step, one after the other, in one task.
    init<Result>(awaiting name: String, _ step: @escaping @Sendable () async throws -> Result) {
        self.init(name: name) { times in
            for _ in 0..<times { keep(try await step()) }
        }
    }

    /// An asynchronous step, one after the other, called on the main actor.
    init<Result: Sendable>(onMainActor name: String, _ step: @escaping @concurrent @Sendable () async throws -> Result)
    {
        self.init(name: name) { @MainActor times in
            for _ in 0..<times { keep(try await step()) }
        }
    }

    /// A call of which a number are on their way at once, each started when the one before it in its lane has ended.
    init<Result>(_ name: String, inFlight lanes: Int, _ call: @escaping @Sendable () async throws -> Result) {
        self.init(name: name) { times in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<lanes {
                    group.addTask {
                        for _ in stride(from: lane, to: times, by: lanes) { keep(try await call()) }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

/// Keeps a result from being optimised away, and with it what made it.
@inline(never) private func keep<Value>(_ value: Value) {}
