import Errand
import TestSupport
import Testing

@Suite struct CircuitBreakerMachineTests {
    /// An operation on a state machine and its expected result.
    enum Step: Sendable {
        /// A call is admitted. Its pass is stored under its number.
        case goes(Int, isProbe: Bool = false)
        case isRefused(Duration?)
        case ends(Int, CircuitBreakerInterceptor.Policy.Outcome, CircuitBreakerMachine.Change? = nil)
        case time(Duration)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: [Step]
        let state: CircuitBreakerMachine.State
        var testDescription: String { name }
    }

    private static let opened: [Step] = [
        .goes(1), .goes(2), .goes(3), .ends(1, .failure), .ends(2, .failure, .opened(failures: 2)),
    ]

    static let rows: [Row] = [
        Row(name: "initial state", steps: [], state: .closed(failures: 0)),
        Row(name: "one failure", steps: [.goes(1), .ends(1, .failure)], state: .closed(failures: 1)),
        Row(
            name: "a success resets the count",
            steps: [.goes(1), .ends(1, .failure), .goes(1), .ends(1, .success), .goes(1), .ends(1, .failure)],
            state: .closed(failures: 1)),
        Row(
            name: "a call without an outcome does not reset the count",
            steps: [
                .goes(1), .ends(1, .failure), .goes(1), .ends(1, .nothing), .goes(1),
                .ends(1, .failure, .opened(failures: 2)),
            ], state: .open(until: .seconds(30))),
        Row(
            name: "an open circuit refuses", steps: opened + [.time(.seconds(10)), .isRefused(.seconds(20))],
            state: .open(until: .seconds(30))),
        Row(
            name: "a late success is ignored", steps: opened + [.ends(3, .success)],
            state: .open(until: .seconds(30))),
        Row(
            name: "one call probes after the open time",
            steps: opened + [.time(.seconds(30)), .goes(4, isProbe: true), .isRefused(nil), .isRefused(nil)],
            state: .halfOpen(isProbing: true)),
        Row(
            name: "a late failure does not end the probe",
            steps: opened + [.time(.seconds(30)), .goes(4, isProbe: true), .ends(3, .failure)],
            state: .halfOpen(isProbing: true)),
        Row(
            name: "a successful probe closes the circuit",
            steps: opened + [.time(.seconds(31)), .goes(4, isProbe: true), .ends(4, .success, .closed), .goes(5)],
            state: .closed(failures: 0)),
        Row(
            name: "a failed probe reopens the circuit",
            steps: opened + [
                .time(.seconds(31)), .goes(4, isProbe: true), .ends(4, .failure, .openedAgain),
                .isRefused(.seconds(30)),
            ], state: .open(until: .seconds(61))),
        Row(
            name: "a cancelled probe is replaced",
            steps: opened + [
                .time(.seconds(31)), .goes(4, isProbe: true), .ends(4, .nothing, .probeLost), .goes(5, isProbe: true),
                .isRefused(nil),
            ], state: .halfOpen(isProbing: true)),
        Row(
            name: "a call from before the opening is ignored after closing",
            steps: opened + [
                .time(.seconds(30)), .goes(4, isProbe: true), .ends(4, .success, .closed), .ends(3, .failure),
            ],
            state: .closed(failures: 0)),
    ]

    @Test(arguments: rows) func `a sequence of calls leads to the expected state`(row: Row) throws {
        var policy = CircuitBreakerInterceptor.Policy()
        policy.failures = 2
        var machine = CircuitBreakerMachine(policy)
        var passes: [Int: CircuitBreakerMachine.Pass] = [:]
        var now = Duration.zero
        for step in row.steps {
            switch step {
            case .time(let moment): now = moment
            case .isRefused(let wait): #expect(machine.ask(now: now) == .refuse(retryAfter: wait))
            case .goes(let id, let isProbe):
                guard case .go(let pass) = machine.ask(now: now) else {
                    Issue.record("call \(id) is refused")
                    return
                }
                #expect(pass.isProbe == isProbe)
                passes[id] = pass
            case .ends(let id, let outcome, let change):
                #expect(machine.end(try #require(passes[id]), outcome, now: now) == change)
            }
        }
        #expect(machine.state == row.state)
    }

    @Test(arguments: [(Int.min, Duration.seconds(-1)), (0, .zero), (1, .seconds(Int64.max))])
    func `a policy outside its bounds is clamped`(failures: Int, openTime: Duration) {
        var policy = CircuitBreakerInterceptor.Policy()
        (policy.failures, policy.openTime) = (failures, openTime)
        var machine = CircuitBreakerMachine(policy)
        #expect(machine.end(.free, .failure, now: .zero) == .opened(failures: 1))
        guard case .open(let until) = machine.state else {
            Issue.record("not open")
            return
        }
        #expect((.zero ... .seconds(86_400)).contains(until))
    }

    @Test func `random calls never cause two probes or a stuck circuit`() {
        for seed in 0..<UInt64(TestEnvironment.rounds(1_000, heavy: 10_000, patient: 300)) {
            var run = Run(seed: seed)
            for _ in 0..<60 { run.step() }
            run.finish()
            if let problem = run.problem {
                Issue.record("seed \(seed): \(problem)")
                return
            }
        }
    }
}

extension CircuitBreakerMachineTests {
    /// Random calls, outcomes, cancellations and clock steps on one machine. Each step checks the invariants.
    private struct Run {
        private var random: SplitMix
        private var machine: CircuitBreakerMachine
        private var passes: [CircuitBreakerMachine.Pass] = []
        private var now = Duration.zero
        private(set) var problem: String?
        private let failures: Int

        init(seed: UInt64) {
            random = SplitMix(state: seed)
            var policy = CircuitBreakerInterceptor.Policy()
            failures = Int.random(in: 1...4, using: &random)
            policy.failures = failures
            policy.openTime = .seconds(Int.random(in: 0...10, using: &random))
            machine = CircuitBreakerMachine(policy)
        }

        mutating func step() {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5: ask()
            case 5..<8: end()
            default: now += .seconds(Int.random(in: 0...6, using: &random))
            }
        }

        private mutating func ask() {
            let before = machine.state
            let decision = machine.ask(now: now)
            switch (before, decision) {
            case (.closed, .go(let pass)) where !pass.isProbe: passes.append(pass)
            case (.open(let until), .go(let pass)) where until <= now && pass.isProbe: passes.append(pass)
            case (.halfOpen(isProbing: false), .go(let pass)) where pass.isProbe: passes.append(pass)
            case (.open(let until), .refuse(let wait)) where until > now && wait == until - now: break
            case (.halfOpen(isProbing: true), .refuse(nil)): break
            default: problem = "\(before), asked at \(now): \(decision)"
            }
            check()
        }

        private mutating func end() {
            guard !passes.isEmpty else { return }
            let pass = passes.remove(at: Int.random(in: 0..<passes.count, using: &random))
            let outcome = [CircuitBreakerInterceptor.Policy.Outcome.success, .failure, .failure, .nothing]
                .randomElement(
                    using: &random)
            let before = machine.state
            _ = machine.end(pass, outcome ?? .nothing, now: now)
            if pass.isProbe, machine.state == .halfOpen(isProbing: true) { problem = "an ended probe is still running" }
            if !pass.isProbe, case .halfOpen = before, machine.state != before { problem = "\(pass) changed \(before)" }
            check()
        }

        private mutating func check() {
            let probes = passes.count { $0.isProbe }
            if probes > 1 { problem = "\(probes) probes" }
            if (probes == 1) != (machine.state == .halfOpen(isProbing: true)) {
                problem = "\(probes) probes in \(machine.state)"
            }
            if case .closed(let count) = machine.state, !(0..<failures).contains(count) {
                problem = "\(count) failures"
            }
        }

        /// Cancels all calls and advances the clock. The next call must then be admitted.
        mutating func finish() {
            for pass in passes { _ = machine.end(pass, .nothing, now: now) }
            now += .seconds(11)
            guard case .go = machine.ask(now: now) else {
                problem = problem ?? "no call is admitted at the end: \(machine.state)"
                return
            }
        }
    }
}
