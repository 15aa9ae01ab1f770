import Errand
import Foundation
import TestSupport
import Testing

@Suite struct RateLimitInterleavingTests {
    @Test func `random events respect the limits and lose no waiter`() {
        for seed in 0..<UInt64(TestEnvironment.rounds(1_000, heavy: 10_000, patient: 200)) {
            var run = Run(seed: seed)
            for _ in 0..<80 where run.problem == nil { run.step() }
            run.finish()
            if let problem = run.problem {
                Issue.record("seed \(seed): \(problem)")
                return
            }
        }
    }

    private struct Waiter: Equatable {
        let id: Int
        var priority: Double
        var latest: Duration?
    }

    /// Random arrivals, cancellations, endings, responses and clock steps on one machine, compared with a plain model:
    /// a list of waiters in order of arrival.
    private struct Run {
        private var random: SplitMix
        private var machine: RateLimitMachine
        private var policy = RateLimitInterceptor.Policy()
        private var waiting: [Waiter] = []
        private var running: Set<Int> = []
        private var now = Duration.zero
        private var lastID = 0
        private var sent = 0
        private var pausedUntil = Duration.zero
        private(set) var problem: String?

        init(seed: UInt64) {
            random = SplitMix(state: seed)
            policy.concurrency = Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : nil
            if Bool.random(using: &random) {
                policy.rate = .init(
                    Int.random(in: 1...7, using: &random), per: .seconds(Int.random(in: 1...5, using: &random)),
                    burst: Int.random(in: 1...5, using: &random))
            }
            policy.maximumWait = .seconds(Int.random(in: 1...40, using: &random))
            machine = RateLimitMachine(policy)
        }

        mutating func step() {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8: enter()
            case 8..<12: leave()
            case 12: abandonWaiter()
            case 13: abandonRunning()
            case 14: raise()
            default: now += .milliseconds(Int.random(in: 0...4_000, using: &random))
            }
            advance()
        }

        private mutating func enter() {
            lastID += 1
            let priority = Double(Int.random(in: 0...2, using: &random)) / 2
            let remaining: Duration? =
                Bool.random(using: &random) ? .seconds(Int.random(in: -1...30, using: &random)) : nil
            switch machine.enter(lastID, priority: priority, remaining: remaining, now: now) {
            case .go:
                if !waiting.isEmpty { problem = "\(lastID) was admitted before \(waiting)" }
                start(lastID)
            case .wait: waiting.append(Waiter(id: lastID, priority: priority, latest: remaining.map { now + $0 }))
            case .refuse(let refusal):
                if !isTooLong(refusal.wait, remaining) { problem = "refused for a wait of only \(refusal.wait)" }
            }
        }

        private mutating func start(_ id: Int) {
            running.insert(id)
            sent += 1
            if now < pausedUntil { problem = "\(id) was admitted at \(now), in a pause until \(pausedUntil)" }
        }

        private func isTooLong(_ wait: Duration, _ remaining: Duration?) -> Bool {
            wait > policy.maximumWait || remaining.map { wait >= $0 } == true
        }

        private mutating func leave() {
            guard let id = running.sorted().randomElement(using: &random) else { return }
            running.remove(id)
            for (id, refusal) in machine.leave(id, reading(), now: now) {
                guard let index = waiting.firstIndex(where: { $0.id == id }) else {
                    problem = "refused \(id), which did not wait"
                    return
                }
                let waiter = waiting.remove(at: index)
                if !isTooLong(refusal.wait, waiter.latest.map { $0 - now }) {
                    problem = "\(waiter) is refused: \(refusal)"
                }
            }
        }

        private mutating func reading() -> RateLimitReading? {
            let (count, seconds) = (Int.random(in: 0...3, using: &random), Int.random(in: 0...20, using: &random))
            let date = Date(timeIntervalSince1970: 1_000_000_000)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return nil
            case 1:
                pausedUntil = max(pausedUntil, now + .seconds(seconds))
                return RateLimitReading(status: 503, headers: ["Retry-After": "\(seconds)"], date: date)
            case 2: return RateLimitReading(status: 429, headers: [:], date: date)
            case 3:
                return RateLimitReading(status: 200, headers: ["RateLimit": "a;r=\(count);t=\(seconds)"], date: date)
            default: return RateLimitReading(status: 200, headers: [:], date: date)
            }
        }

        private mutating func abandonWaiter() {
            guard let waiter = waiting.randomElement(using: &random) else { return }
            waiting.removeAll { $0 == waiter }
            machine.abandon(waiter.id, now: now)
        }

        private mutating func abandonRunning() {
            guard let id = running.sorted().randomElement(using: &random) else { return }
            running.remove(id)
            sent -= 1
            machine.abandon(id, now: now)
        }

        /// A new caller joins a waiting call.
        private mutating func raise() {
            guard let index = waiting.indices.randomElement(using: &random) else { return }
            let priority = Double.random(in: 0...1, using: &random)
            let remaining: Duration? =
                Bool.random(using: &random) ? .seconds(Int.random(in: -1...30, using: &random)) : nil
            machine.raise(waiting[index].id, to: priority, remaining: remaining, now: now)
            waiting[index].priority = max(priority, waiting[index].priority)
            waiting[index].latest = waiting[index].latest.flatMap { own in remaining.map { max(own, now + $0) } }
        }

        private mutating func advance() {
            for id in machine.advance(now: now) {
                let best = waiting.map(\.priority).max()
                let first = waiting.first { $0.priority == best }
                if first?.id != id { problem = "admitted \(id), expected \(String(describing: first))" }
                waiting.removeAll { $0.id == id }
                start(id)
            }
            check()
        }

        private mutating func check() {
            if machine.running != running { problem = "running \(machine.running), expected \(running)" }
            if machine.waiting != waiting.count { problem = "waiting \(machine.waiting), expected \(waiting.count)" }
            if running.count > policy.concurrency ?? .max { problem = "\(running.count) concurrent calls" }
            let next = machine.next(now: now)
            if let next, next <= now { problem = "at \(now), the next check is at \(next)" }
            let isFull = running.count >= policy.concurrency ?? .max
            if !waiting.isEmpty, !isFull, next == nil { problem = "\(waiting) wait without a next check" }
            if waiting.isEmpty, next != nil { problem = "a next check without waiters" }
            guard let rate = policy.rate, let tokens = machine.bucket?.tokens(at: now) else { return }
            if !(0...Double(rate.burst)).contains(tokens) { problem = "\(tokens) tokens" }
            let most = Double(rate.burst) + now / rate.interval * Double(rate.requests)
            if Double(sent) > most + 1e-6 { problem = "sent \(sent) by \(now), limit \(most)" }
        }

        /// Ends all calls and advances the clock from alarm to alarm. All waiters must then have been admitted.
        mutating func finish() {
            for _ in 0..<1_000 where problem == nil && !(waiting.isEmpty && running.isEmpty) {
                for id in running.sorted() {
                    running.remove(id)
                    _ = machine.leave(id, nil, now: now)
                }
                now = machine.next(now: now) ?? now
                advance()
            }
            if problem == nil, !waiting.isEmpty { problem = "\(waiting) were never admitted" }
        }
    }
}
