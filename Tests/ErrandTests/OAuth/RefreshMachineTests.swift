import Errand
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct RefreshMachineTests {
    typealias Machine = RefreshMachine<Int>

    private func token(_ name: String) -> OAuthToken { OAuthToken(access: Secret(name), refresh: Secret("r-\(name)")) }

    /// Creates a machine with a token that expires the given number of seconds after time 0.
    private func machine(_ seconds: Int?) -> Machine {
        var machine = Machine()
        _ = machine.signIn(token("a"))
        machine.measure(lifetime: seconds.map { .seconds($0) }, now: .zero)
        return machine
    }

    private func begun(
        _ machine: inout Machine, _ ask: (inout Machine) -> Machine.Decision
    ) throws -> Machine.Refresh {
        let begun: Machine.Refresh? =
            switch ask(&machine) {
            case .use(_, let refresh), .wait(let refresh): refresh
            case .fail, .keepRefusal: nil
            }
        return try #require(begun)
    }

    private func says(
        _ expected: String, _ machine: inout Machine, at location: SourceLocation = #_sourceLocation,
        _ ask: (inout Machine) -> Machine.Decision
    ) {
        let decision = text(ask(&machine))
        #expect(decision == expected, sourceLocation: location)
    }

    private func text(_ decision: Machine.Decision) -> String {
        switch decision {
        case .use(let lease, let refresh): "use \(lease.token.access.reveal())" + (refresh == nil ? "" : ", begin")
        case .wait(let refresh): refresh == nil ? "wait" : "begin, wait"
        case .fail(let failure): "fail \(failure.error.reason)"
        case .keepRefusal: "keep"
        }
    }

    @Test(arguments: [
        (nil as Int?, 1_000_000, "use a"), (3_600, 0, "use a"), (3_600, 3_569, "use a"), (3_600, 3_570, "use a, begin"),
        (3_600, 3_594, "use a, begin"), (3_600, 3_595, "begin, wait"), (3_600, 9_999, "begin, wait"),
        // If the lifetime is short, the margin is half of it.
        (20, 9, "use a"), (20, 10, "use a, begin"), (20, 14, "use a, begin"), (20, 15, "begin, wait"),
        (4, 1, "use a"), (4, 2, "begin, wait"), (0, 0, "begin, wait"), (-5, 0, "begin, wait"),
    ])
    func `the age of a token decides on use and refresh`(life: Int?, now: Int, expected: String) {
        var machine = machine(life)
        let ready = machine.ready(now: .seconds(now)) != nil
        says(expected, &machine) { $0.ask(1, now: .seconds(now)) }
        #expect(ready == (expected == "use a"))
    }

    @Test func `waiters share a refresh and get its token when stored`() throws {
        var machine = machine(60)
        let refresh = try begun(&machine) { $0.ask(1, now: .seconds(60)) }
        says("wait", &machine) { $0.ask(2, now: .seconds(60)) }
        let cancelled = [machine.cancel(2), machine.cancel(2)]
        #expect(cancelled == [true, false])
        let isTaken = machine.received(refresh, token("b"), lifetime: .seconds(60), now: .seconds(61))
        #expect(isTaken)
        says("wait", &machine) { $0.ask(3, now: .seconds(61)) }  // the token is not used before it is stored
        let told = machine.stored(refresh, now: .seconds(61))
        let resumed = try #require(told)
        #expect(resumed.waiters == [1, 3])
        #expect(try resumed.result.get().token == token("b"))
        says("use b", &machine) { $0.ask(4, now: .seconds(61)) }
        let again = machine.stored(refresh, now: .seconds(61))
        #expect(again == nil)
    }

    @Test func `a late refusal of an old token causes no refresh`() throws {
        var machine = machine(nil)
        let old = machine.generation
        let refresh = try begun(&machine) { $0.refused(old, 1, now: .zero) }
        says("wait", &machine) { $0.refused(old, 2, now: .zero) }
        _ = machine.received(refresh, token("b"), lifetime: nil, now: .seconds(1))
        _ = machine.stored(refresh, now: .seconds(1))
        says("use b", &machine) { $0.refused(old, 3, now: .seconds(1)) }
        says("keep", &machine) { $0.refused($0.generation, 4, now: .seconds(1.5)) }  // the token is new
        says("begin, wait", &machine) { $0.refused($0.generation, 5, now: .seconds(2)) }
        says("wait", &machine) { $0.ask(6, now: .seconds(2)) }  // a refused token is not used
    }

    @Test func `a failure fails its waiters, and a pause follows it`() throws {
        var machine = machine(0)
        let first = try begun(&machine) { $0.ask(1, now: .zero) }
        let (resumed, hasEnded) = machine.failed(first, ServiceError(.timeout, "slow"), endsSession: false, now: .zero)
        #expect(resumed?.waiters == [1] && !hasEnded)
        says("fail slow", &machine) { $0.ask(2, now: .milliseconds(999)) }
        says("begin, wait", &machine) { $0.ask(2, now: .seconds(1)) }
    }

    @Test func `the end of a session is reported once`() throws {
        var machine = machine(0)
        let refresh = try begun(&machine) { $0.ask(1, now: .zero) }
        let ends = (1...2).map { _ in
            machine.failed(refresh, ServiceError(.authorization, "over"), endsSession: true, now: .zero).hasEnded
        }
        #expect(ends == [true, false])
        says("fail over", &machine) { $0.ask(2, now: .seconds(99)) }
        #expect(machine.token == nil)
        says("fail over", &machine) { $0.refused(1, 2, now: .seconds(99)) }
        let isTaken = machine.received(refresh, token("b"), lifetime: nil, now: .zero)
        #expect(!isTaken)
        _ = machine.signIn(token("c"))
        machine.measure(lifetime: nil, now: .seconds(99))
        says("use c", &machine) { $0.ask(3, now: .seconds(99)) }
    }

    @Test func `an overdue refresh fails its waiters but keeps its token`() throws {
        var machine = machine(0)
        let slow = ServiceError(.timeout, "slow")
        let refresh = try begun(&machine) { $0.ask(1, now: .zero) }
        let resumed = machine.overdue(refresh, slow, now: .zero)
        #expect(resumed?.waiters == [1] && machine.waiters.isEmpty && machine.isUnderWay(refresh))
        #expect(throws: Machine.Failure.self) { try resumed?.result.get() }
        // This holds for any delay, because the server may already have rotated the refresh token.
        says("fail slow", &machine) { $0.ask(2, now: .seconds(999)) }
        says("fail slow", &machine) { $0.refused($0.generation, 2, now: .seconds(999)) }
        let again = machine.overdue(refresh, slow, now: .seconds(999))
        #expect(again == nil)
        let isTaken = machine.received(refresh, token("b"), lifetime: nil, now: .seconds(999))
        #expect(isTaken && !machine.isUnderWay(refresh))
        says("use b", &machine) { $0.ask(3, now: .seconds(999)) }  // no waiter waits for the store
        let told = machine.stored(refresh, now: .seconds(999))
        let isTakenAgain = machine.received(refresh, token("z"), lifetime: nil, now: .seconds(999))
        #expect(told == nil && !isTakenAgain)
    }

    @Test func `a failed overdue refresh is followed by a pause`() throws {
        var machine = machine(0)
        let first = try begun(&machine) { $0.ask(1, now: .zero) }
        _ = machine.overdue(first, ServiceError(.timeout, "slow"), now: .zero)
        let failed = machine.failed(first, ServiceError(.connection, "gone"), endsSession: false, now: .seconds(9))
        #expect(failed.resumed?.waiters == [] && !failed.hasEnded)
        says("fail gone", &machine) { $0.ask(2, now: .seconds(9.9)) }
        let second = try begun(&machine) { $0.ask(2, now: .seconds(10)) }
        let isTaken = machine.received(first, token("z"), lifetime: nil, now: .seconds(10))
        #expect(!isTaken && machine.isUnderWay(second))
    }

    @Test func `a sign-in supersedes an overdue refresh and its token`() throws {
        var machine = machine(0)
        let first = try begun(&machine) { $0.ask(1, now: .zero) }
        _ = machine.overdue(first, ServiceError(.timeout, "slow"), now: .zero)
        _ = machine.signIn(token("c"))
        machine.measure(lifetime: .zero, now: .seconds(1))
        let second = try begun(&machine) { $0.ask(2, now: .seconds(1)) }
        let isTaken = machine.received(first, token("z"), lifetime: nil, now: .seconds(2))
        let end = machine.failed(first, .oauth(.invalidGrant), endsSession: true, now: .seconds(2))
        #expect(!isTaken && !end.hasEnded && end.resumed == nil)
        #expect(machine.isUnderWay(second) && machine.waiters == [2])
    }

    @Test func `a slow store does not withhold the token`() throws {
        var machine = machine(0)
        let refresh = try begun(&machine) { $0.ask(1, now: .zero) }
        _ = machine.received(refresh, token("b"), lifetime: nil, now: .zero)
        let resumed = machine.overdue(refresh, ServiceError(.timeout, "slow"), now: .zero)
        #expect(try resumed?.result.get().token == token("b"))
    }

    @Test func `no order of events violates the machine's invariants`() {
        let first = UInt64.random(in: 0 ..< .max / 2)
        for round in 0..<TestEnvironment.rounds(10_000, heavy: 40_000, patient: 500) {
            var scene = RefreshScene(seed: first + UInt64(round))
            scene.run(steps: 60)
            guard scene.complaints.isEmpty else {
                Issue.record("seed \(first + UInt64(round)): \(scene.complaints.joined(separator: "\n"))")
                return
            }
        }
    }
}
