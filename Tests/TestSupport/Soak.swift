import Errand

/// Cancels tasks at random times, and waits for conditions that no event announces. No other code of the tests waits
/// for real time to pass.
package enum Soak {
    /// Runs a body many times, at most `width` at once, and cancels about every third run 0 to 6 ms after its start.
    ///
    /// - Returns: The number of runs that finished, the number of cancelled runs, and all other errors.
    package static func run(
        _ count: Int, width: Int = 64, seed: UInt64, _ body: @escaping @Sendable () async throws -> Void
    ) async -> Outcome {
        await withTaskGroup(of: Outcome.self) { group in
            var random = SplitMix(state: seed)
            var total = Outcome()
            for index in 0..<count {
                if index >= width, let outcome = await group.next() { total.add(outcome) }
                let microseconds: Int? = random.next() % 3 == 0 ? Int(random.next() % 6_000) : nil
                group.addTask { await once(cancelAfter: microseconds, body) }
            }
            for await outcome in group { total.add(outcome) }
            return total
        }
    }

    private static func once(cancelAfter delay: Int?, _ body: @escaping @Sendable () async throws -> Void) async
        -> Outcome
    {
        let task = Task { try await body() }
        let canceller = delay.map { delay in
            Task {
                try? await Task.sleep(for: .microseconds(delay))
                task.cancel()
            }
        }
        defer { canceller?.cancel() }
        do {
            try await task.value
            return Outcome(finished: 1)
        } catch is CancellationError {
            return Outcome(cancelled: 1)
        } catch let error as ServiceError where error.code == .cancelled {
            return Outcome(cancelled: 1)
        } catch {
            return Outcome(others: ["\(error)"])
        }
    }

    /// Waits until a condition holds that no event announces. The test's time limit ends the wait.
    package static func wait(until holds: () async throws -> Bool) async throws {
        while try await !holds() { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Waits until a condition holds that no event announces. Returns `false` if it does not hold in time.
    package static func eventually(
        within limit: Duration = .seconds(10), _ condition: () throws -> Bool
    ) async rethrows -> Bool {
        let end = ContinuousClock.now + limit * TestEnvironment.patience
        while ContinuousClock.now < end {
            if try condition() { return true }
            try? await Task.sleep(for: .milliseconds(2))
        }
        return try condition()
    }

    /// Waits for real time to pass, for tests that depend on real time.
    package static func wait(_ duration: Duration) async {
        try? await Task.sleep(for: duration)
    }

    /// The outcome of the runs.
    package struct Outcome: Sendable {
        package var finished = 0
        package var cancelled = 0
        package var others: [String] = []

        mutating func add(_ other: Outcome) {
            finished += other.finished
            cancelled += other.cancelled
            others += other.others
        }
    }
}

/// A small seeded generator, so that a failing run can be repeated.
package struct SplitMix: RandomNumberGenerator, Sendable {
    package var state: UInt64

    package init(state: UInt64) {
        self.state = state
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
