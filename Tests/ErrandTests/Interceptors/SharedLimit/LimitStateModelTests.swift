import Errand
import Foundation
import TestSupport
import Testing

/// Random sequences of takes, observations and clock jumps, compared with a list of all reservations.
@Suite struct LimitStateModelTests {
    @Test func `random sequences never exceed the rate or break a pause`() {
        for seed in 0..<UInt64(TestEnvironment.rounds(500, heavy: 10_000, patient: 100)) {
            var run = Run(seed: seed)
            for _ in 0..<100 where run.problem == nil { run.step() }
            run.check()
            if let problem = run.problem {
                Issue.record("seed \(seed): \(problem)")
                return
            }
        }
    }

    /// A number of workers that reserve, sleep, ask whether their reservation has moved, and send.
    private struct Run {
        private var random: SplitMix
        private var state = LimitState(at: 100_000_000_000)
        /// Whether the clock of the store jumps. Otherwise the server demands pauses: while the clock stands back, a pause can
        /// seem longer than it is, and hide another one.
        private let jumps: Bool
        /// The real time, and the difference of the store's clock.
        private var (now, jump): (Int64, Int64) = (100_000_000_000, 0)
        private let demand: LimitDemand
        /// The times at which workers wake up, with their reservations.
        private var sleeping: [(at: Int64, grant: LimitGrant)] = []
        private var sent: [Int64] = []
        private var pauses: [Range<Int64>] = []
        private(set) var problem: String?

        init(seed: UInt64) {
            random = SplitMix(state: seed)
            jumps = Bool.random(using: &random)
            let rate = RateLimitInterceptor.Policy.Rate(
                .random(in: 1...20, using: &random), per: .milliseconds(Int.random(in: 1...3_000, using: &random)),
                burst: .random(in: 1...6, using: &random))
            demand = LimitDemand(rate, maximumWait: .seconds(Int.random(in: 0...60, using: &random)))
        }

        mutating func step() {
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<7: take()
            case 7 where jumps: jump -= .random(in: 0...500_000_000, using: &random)
            case 7: pause()
            case 8 where !jumps: quota()
            default: advance(to: now + .random(in: 0...2_000_000, using: &random))
            }
        }

        private mutating func take() {
            state.follow(now + jump)
            guard let grant = state.take(demand, at: now + jump).grant else { return }
            if grant.wait > demand.maximumWait { problem = "a wait of \(grant.wait)" }
            if grant.wait == .zero { sent.append(now) } else { sleep(grant) }
        }

        private mutating func sleep(_ grant: LimitGrant) {
            sleeping.append((now + grant.wait.wholeMicroseconds, grant))
            sleeping.sort { $0.at < $1.at }
        }

        private mutating func pause() {
            let length = Duration.milliseconds(Int.random(in: 1...20_000, using: &random))
            state.observe(LimitObservation(pause: length), at: now + jump)
            pauses.append(now..<now + length.wholeMicroseconds)
        }

        /// The server reports a quota. At zero, others have used it, and the server expects no requests until its reset.
        private mutating func quota() {
            let (remaining, reset) = (Int.random(in: 0...4, using: &random), Int.random(in: 1...20_000, using: &random))
            let quota = LimitObservation.Quota(remaining: remaining, reset: .milliseconds(reset))
            state.observe(LimitObservation(quota: quota), at: now + jump)
            if remaining == 0 { pauses.append(now..<state.resetAt) }
        }

        private mutating func advance(to end: Int64) {
            while let first = sleeping.first, first.at <= end {
                sleeping.removeFirst()
                now = max(now, first.at)
                let updated = state.update(first.grant)
                if updated.wait == .zero { sent.append(now) } else { sleep(updated) }
            }
            now = max(now, end)
        }

        /// Checks that no request was sent within a pause, and that in each span the requests are within the rate and
        /// the burst.
        mutating func check() {
            advance(to: now + 1_000_000_000)
            if !sleeping.isEmpty { problem = "\(sleeping.count) requests were not sent" }
            for time in sent where pauses.contains(where: { $0.lowerBound < time && time < $0.upperBound }) {
                problem = "a request within a pause, at \(time)"
            }
            let (step, burst) = demand.rate.microseconds
            for first in sent.indices {
                for last in first..<sent.count where Int64(last - first + 1) * step > sent[last] - sent[first] + burst {
                    problem = "\(last - first + 1) requests in \(sent[last] - sent[first]) µs"
                }
            }
        }
    }
}
