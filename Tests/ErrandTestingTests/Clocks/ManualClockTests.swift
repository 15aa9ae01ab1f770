import Errand
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ManualClockTests {
    @Test func `the clock moves only forward and only when advanced`() {
        let start = Date(timeIntervalSince1970: 100)
        let clock = ManualClock(now: .seconds(5), date: start)
        #expect(clock.now == .seconds(5) && clock.date == start)
        clock.advance(by: .milliseconds(1_500))
        clock.advance(by: .seconds(-9))
        #expect(clock.now == .milliseconds(6_500) && clock.date == start + 1.5)
    }

    @Test func `concurrent advances add up`() async {
        let clock = ManualClock()
        await withTaskGroup(of: Void.self) { movers in
            for _ in 1...4 {
                movers.addTask { for _ in 1...5_000 { clock.advance(by: .nanoseconds(1)) } }
            }
        }
        #expect(clock.now == .nanoseconds(20_000))
    }

    @Test func `a sleeper wakes exactly at its instant`() async throws {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(until: .seconds(2)) }
        try await clock.advance(by: .milliseconds(1_999), sleeping: 1)
        #expect(clock.sleepers == 1)
        clock.advance(by: .milliseconds(1))
        try await sleeper.value
        #expect(clock.sleepers == 0)
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(3)])
    func `an instant in the past ends the sleep at once`(instant: Duration) async throws {
        try await ManualClock(now: .seconds(3)).sleep(until: instant)
    }

    @Test func `an advance waits for the expected number of sleepers`() async throws {
        let clock = ManualClock()
        let sleepers = (1...20).map { second in Task { try await clock.sleep(until: .seconds(second)) } }
        try await clock.advance(by: .seconds(10), sleeping: 20)
        for sleeper in sleepers.prefix(10) { try await sleeper.value }
        #expect(clock.sleepers == 10)
        clock.advance(by: .seconds(10))
        for sleeper in sleepers { try await sleeper.value }
    }

    @Test func `a cancelled sleeper wakes at once and no longer counts`() async throws {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(until: .seconds(2)) }
        try await clock.waitForSleepers()
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.sleepers == 0)
    }

    @Test func `waiting for missing sleepers fails with a message`() async {
        let clock = ManualClock()
        let error = await #expect(throws: VerificationError.self) {
            try await clock.waitForSleepers(2, limit: .milliseconds(20))
        }
        #expect(
            error?.description
                == "expected 2 sleepers on the clock, found 0 after 0.02 seconds (the clock shows 0.0 seconds)")
        let waiting = Task { try await clock.advance(by: .seconds(1), sleeping: 1) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(clock.now == .zero)
    }

    /// Returns the times at which a task wakes that sleeps three times for ten seconds.
    private func walk(_ clock: ManualClock, _ advance: () async throws -> Void) async throws -> [Duration] {
        let seen = Locked<[Duration]>([])
        let walker = Task {
            for _ in 1...3 {
                try await clock.sleep(until: clock.now + .seconds(10))
                seen.withLock { $0.append(clock.now) }
            }
        }
        try await advance()
        walker.cancel()
        _ = await walker.result
        return seen.withLock { $0 }
    }

    private static let steps: [Duration] = [.seconds(10), .seconds(20), .seconds(30)]

    @Test func `an advance proceeds from instant to instant`() async throws {
        var seen: [Duration] = []
        // On a busy machine, the task may sleep again too late, after the clock has reached the end.
        for _ in 1...20 where seen != Self.steps {
            let clock = ManualClock()
            seen = try await walk(clock) {
                try await clock.advance(by: .seconds(10), sleeping: 1)
                try await clock.advance(by: .seconds(20), sleeping: 1)
            }
        }
        #expect(seen == Self.steps)
    }

    @Test func `an advance to an instant waits for a task that sleeps until it`() async throws {
        let clock = ManualClock()
        let others = (1...3).map { _ in Task { try await clock.sleep(until: .seconds(99)) } }
        try await clock.waitForSleepers(3)
        let seen = try await walk(clock) {
            for step in Self.steps { try await clock.advance(to: step) }
        }
        #expect(seen == Self.steps && clock.sleepers == 3)
        let error = await #expect(throws: VerificationError.self) {
            try await clock.advance(to: .seconds(98), limit: .milliseconds(20))
        }
        #expect(
            error?.description == "expected a task that sleeps until 98.0 seconds on the clock, found "
                + "[99.0 seconds, 99.0 seconds, 99.0 seconds] after 0.02 seconds (the clock shows 30.0 seconds)")
        let waiting = Task { try await clock.advance(to: .seconds(98)) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(clock.now == .seconds(30))
        try await clock.advance(to: .seconds(99))
        for other in others { try await other.value }
    }

    @Test func `sleepers that are cancelled at random all wake`() async throws {
        let clock = ManualClock()
        let hasCancelled = Locked(false)
        let mover = Task {
            while !Task.isCancelled {
                // Otherwise all sleepers may wake before the first cancellation, which takes real time.
                if hasCancelled.withLock({ $0 }) { clock.advance(by: .milliseconds(1)) }
                await Task.yield()
            }
        }
        let outcome = await Soak.run(
            TestEnvironment.rounds(1_000, heavy: 5_000, patient: 200), seed: .random(in: 0 ... .max)
        ) {
            do {
                try await clock.sleep(until: clock.now + .milliseconds(3))
            } catch {
                hasCancelled.withLock { $0 = true }
                throw error
            }
        }
        mover.cancel()
        #expect(outcome.others.isEmpty && outcome.finished > 0 && outcome.cancelled > 0)
    }
}
