import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite struct LimitStateTests {
    private static let second: Int64 = 1_000_000

    private func demand(
        _ requests: Int, per interval: Duration = .seconds(1), burst: Int = 1, cost: Int = 1,
        upTo maximum: Duration = .seconds(60)
    ) -> LimitDemand {
        LimitDemand(.init(requests, per: interval, burst: burst), cost: cost, maximumWait: maximum)
    }

    @Test func `a burst is granted at once, then one request for each step`() {
        var state = LimitState(at: 0)
        let waits = (1...5).map { _ in state.take(demand(10, burst: 2), at: 5 * Self.second) }
        #expect(waits.map(\.wait) == [0, 0, 100, 200, 300].map { .milliseconds($0) })
    }

    @Test func `an idle period saves at most one burst`() {
        var state = LimitState(at: 0)
        _ = state.take(demand(10, burst: 2), at: 0)
        let waits = (1...3).map { _ in state.take(demand(10, burst: 2), at: 3_600 * Self.second) }
        #expect(waits.map(\.wait) == [.zero, .zero, .milliseconds(100)])
    }

    @Test(arguments: [2, 50, Int.max]) func `a cost above the burst is the whole burst`(cost: Int) {
        var state = LimitState(at: 0)
        state.observe(LimitObservation(quota: .init(remaining: 5, reset: .seconds(60))), at: 0)
        #expect(state.take(demand(10, burst: 2, cost: cost), at: 0).wait == .zero && state.remaining == 3)
        #expect(state.take(demand(10, burst: 2, cost: .min), at: 0).wait == .milliseconds(100))
    }

    @Test func `a refusal changes nothing and names the wait`() {
        var state = LimitState(at: 0)
        _ = state.take(demand(1), at: 0)
        let before = state
        let decision = state.take(demand(1, upTo: .milliseconds(999)), at: 0)
        #expect(decision == .refused(LimitRefusal(wait: .seconds(1), isFromServer: false)))
        #expect(state == before)
    }

    @Test func `a pause moves reservations and keeps their distance`() throws {
        var state = LimitState(at: 0)
        let early = try (1...3).map { _ in try #require(state.take(demand(1), at: 0).grant) }
        state.observe(LimitObservation(pause: .seconds(30)), at: Self.second)
        let moved = state.update(early[2])
        #expect(early[2].wait == .seconds(2) && moved.wait == .seconds(30) && state.update(moved).wait == .zero)
        let late = try #require(state.take(demand(1), at: Self.second).grant)
        #expect(late.wait == .seconds(32))
        state.observe(LimitObservation(pause: .seconds(40)), at: Self.second)
        #expect(state.update(late).wait == .seconds(10))
    }

    @Test(arguments: ["", "x y", "0", "7 0", "0 -5 3", "0 9223372036854775807", "0 -9223372036854775808"])
    func `a mark of another state moves nothing`(mark: String) {
        var state = LimitState(at: 0)
        state.observe(LimitObservation(pause: .seconds(30)), at: 0)
        let wait = state.update(LimitGrant(wait: .zero, mark: mark)).wait
        #expect(wait == (mark.hasPrefix("0 -9") ? .seconds(30) : .zero))
    }

    @Test func `a server pause longer than the maximum wait causes a refusal`() {
        var state = LimitState(at: 0)
        state.observe(LimitObservation(pause: .seconds(90)), at: 0)
        let decision = state.take(demand(1), at: 0)
        #expect(decision == .refused(LimitRefusal(wait: .seconds(90), isFromServer: true)))
    }

    @Test func `a quota counts down until its reset`() throws {
        var state = LimitState(at: 0)
        state.observe(LimitObservation(quota: .init(remaining: 2, reset: .seconds(10))), at: 0)
        let grants = try (1...3).map { _ in try #require(state.take(demand(1_000, burst: 1_000), at: 0).grant) }
        #expect(grants.map(\.wait) == [.zero, .zero, .seconds(10)])
        // The responses to the first two requests. The third one is already behind the reset.
        for remaining in [1, 0] {
            let quota = LimitObservation.Quota(remaining: remaining, reset: .seconds(9))
            state.observe(LimitObservation(quota: quota), at: Self.second)
            #expect(state.remaining == 0 && state.update(grants[2]).wait == .zero)
        }
        state.observe(LimitObservation(quota: .init(remaining: 500, reset: .seconds(60))), at: 11 * Self.second)
        #expect(state.remaining == 500)
    }

    @Test func `a quota that others have used moves reservations`() throws {
        var state = LimitState(at: 0)
        state.observe(LimitObservation(quota: .init(remaining: 9, reset: .seconds(10))), at: 0)
        let grants = try (1...2).map { _ in try #require(state.take(demand(1), at: 0).grant) }
        state.observe(LimitObservation(quota: .init(remaining: 0, reset: .seconds(10))), at: 0)
        #expect(state.update(grants[1]).wait == .seconds(10))
    }

    @Test func `a pause that outlasts the quota comes first`() {
        var state = LimitState(at: 0)
        let quota = LimitObservation.Quota(remaining: 1, reset: .seconds(10))
        state.observe(LimitObservation(quota: quota, pause: .seconds(30)), at: 0)
        let waits = (1...3).map { _ in state.take(demand(1_000, burst: 1_000), at: 0).wait }
        #expect(waits == [.seconds(30), .seconds(30), .seconds(30)])
    }

    @Test func `a pause moves reservations before the reset and those behind it`() throws {
        var state = LimitState(at: 0)
        state.observe(LimitObservation(quota: .init(remaining: 5, reset: .seconds(30))), at: 0)
        let grants = try (1...6).map { _ in try #require(state.take(demand(1), at: 0).grant) }
        #expect(grants.map(\.wait) == [0, 1, 2, 3, 4, 30].map { .seconds($0) })
        state.observe(LimitObservation(pause: .seconds(20)), at: Self.second / 2)
        #expect(grants.dropFirst().allSatisfy { state.update($0).wait == .seconds(20) })
        // After the last one before the reset, a pause that ends before it moves nothing.
        let late = try #require(state.take(demand(1), at: 25 * Self.second).grant)
        state.observe(LimitObservation(pause: .seconds(4)), at: 25 * Self.second)
        #expect(state.update(late).wait == .zero)
    }

    @Test func `a reservation behind one reset is before a later one`() throws {
        var state = LimitState(at: 0)
        func report(_ remaining: Int, _ reset: Duration, at seconds: Int64) {
            let quota = LimitObservation.Quota(remaining: remaining, reset: reset)
            state.observe(LimitObservation(quota: quota), at: seconds * Self.second)
        }
        report(2, .seconds(10), at: 0)
        let grants = try (1...3).map { _ in try #require(state.take(demand(1), at: 0).grant) }
        #expect(grants.map(\.wait) == [0, 1, 10].map { .seconds($0) })
        state.observe(LimitObservation(pause: .seconds(30)), at: 0)
        report(1, .seconds(99), at: 1)
        for _ in 1...2 { _ = state.take(demand(1, upTo: .seconds(200)), at: Self.second) }
        // The third one waits until 40 s, after those before the reset at 100 s, and the server ends the quota at 35 s.
        report(0, .seconds(65), at: 35)
        #expect(state.update(grants[2]).wait == .seconds(30 + 65))
    }

    @Test func `a refusal is the server's only if its pause alone is too long`() {
        var state = LimitState(at: 0)
        state.observe(LimitObservation(pause: .seconds(1)), at: 0)
        for _ in 1...3 { _ = state.take(demand(1), at: 0) }
        let decision = state.take(demand(1, upTo: .seconds(2)), at: 0)
        #expect(decision == .refused(LimitRefusal(wait: .seconds(4), isFromServer: false)))
    }

    @Test func `a quota that only this account has reserved moves nothing`() throws {
        var state = LimitState(at: 0)
        state.observe(LimitObservation(quota: .init(remaining: 2, reset: .seconds(60))), at: 0)
        let grants = try (1...2).map { _ in try #require(state.take(demand(1), at: 0).grant) }
        // The response to the first request. The second one is still waiting for its time.
        state.observe(LimitObservation(quota: .init(remaining: 1, reset: .seconds(60))), at: 0)
        #expect(state.remaining == 0 && state.update(grants[1]).wait == .zero)
    }

    @Test func `a quota with a reset time in the past reports nothing`() {
        var state = LimitState(at: 0)
        state.observe(LimitObservation(quota: .init(remaining: 2, reset: .seconds(10))), at: 0)
        state.observe(LimitObservation(quota: .init(remaining: 5, reset: .zero)), at: 0)
        #expect(state.remaining == 2 && state.resetAt == 10 * Self.second)
    }

    @Test func `a state with a pause or a quota is not idle`() {
        let observations = [
            LimitObservation(pause: .seconds(1)), LimitObservation(quota: .init(remaining: 3, reset: .seconds(1))),
        ]
        for observation in observations {
            var state = LimitState(at: 0)
            state.observe(observation, at: 0)
            #expect(!state.isIdle(at: 0) && state.isIdle(at: Self.second))
        }
    }

    @Test func `pauses of many years keep all numbers below 2^53`() throws {
        var state = LimitState(at: 0)
        let early = try #require(state.take(demand(1), at: 0).grant)
        for day in 0...Int64(10_001) {
            state.observe(LimitObservation(pause: .seconds(86_400)), at: day * LimitState.longest)
            if day == 1 { #expect(state.update(early).wait == .seconds(86_400)) }
        }
        #expect(state.createdAt > 0 && state.pauses < LimitState.longest * 2)
        #expect(LimitState(storedForm: state.storedForm) == state)
    }

    @Test(arguments: [
        LimitObservation(), LimitObservation(pause: .seconds(20)),
        LimitObservation(quota: .init(remaining: 0, reset: .seconds(20))),
        LimitObservation(quota: .init(remaining: 6, reset: .seconds(20))),
    ])
    func `a clock that goes back changes no wait`(observation: LimitObservation) {
        var (straight, jumping) = (LimitState(at: 0), LimitState(at: 0))
        for _ in 1...5 {
            #expect(
                straight.take(demand(1), at: 7_200 * Self.second) == jumping.take(demand(1), at: 7_200 * Self.second))
        }
        straight.observe(observation, at: 7_200 * Self.second)
        jumping.observe(observation, at: 7_200 * Self.second)
        jumping.follow(3_600 * Self.second)
        for _ in 1...3 {
            let back = jumping.take(demand(1_000, burst: 10_000), at: 3_600 * Self.second)
            #expect(back == straight.take(demand(1_000, burst: 10_000), at: 7_200 * Self.second))
        }
    }

    @Test func `an earlier time counts as the time of the last change`() {
        var state = LimitState(at: 0)
        _ = state.take(demand(1), at: 5 * Self.second)
        #expect(state.take(demand(1), at: 4 * Self.second).wait == .seconds(1) && state.changedAt == 5 * Self.second)
    }

    @Test(arguments: [
        (requests: 3, interval: Duration.seconds(1), step: 333_334), (1_000_000_000, .seconds(1), 1),
        (Int.max, .zero, 1), (Int.min, .seconds(1), 1_000_000), (1, .seconds(Int64.max), 86_400_000_000),
    ])
    func `a step is rounded up and within bounds`(requests: Int, interval: Duration, step: Int64) {
        let rate = RateLimitInterceptor.Policy.Rate(requests, per: interval, burst: .max)
        #expect(rate.microseconds.step == step && rate.microseconds.burst <= LimitState.longest)
    }

    @Test func `the stored form is decoded, and malformed forms are rejected`() {
        var state = LimitState(at: 0)
        _ = state.take(demand(3), at: 12_345_678)
        state.observe(
            LimitObservation(quota: .init(remaining: 4, reset: .seconds(5)), pause: .seconds(1)), at: 12_345_679)
        #expect(LimitState(storedForm: state.storedForm) == state)
        // Bytes of an older and longer form can follow.
        #expect(LimitState(storedForm: state.storedForm + Data("99\n".utf8)) == state)
        for count in 0..<state.storedForm.count {
            #expect(LimitState(storedForm: state.storedForm.prefix(count)) == nil)
        }
        for text in [
            "", "\n", "limit2 1 2 3 4 5 6 7 8 9 10\n", "limit1 1 2 3 4 5 6 7 8 9 -10\n",
            "limit1 1 2 3 4 5 6 7 8 9 9007199254740992\n",
        ] {
            #expect(LimitState(storedForm: Data(text.utf8)) == nil)
        }
    }
}

extension LimitDecision {
    /// The reservation, or `nil` after a refusal.
    var grant: LimitGrant? {
        if case .granted(let grant) = self { grant } else { nil }
    }

    var wait: Duration? { grant?.wait }
}
