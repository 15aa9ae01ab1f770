import Errand
import Foundation
import Testing

@Suite struct RateLimitMachineTests {
    private func machine(_ change: (inout RateLimitInterceptor.Policy) -> Void = { _ in }) -> RateLimitMachine {
        var policy = RateLimitInterceptor.Policy()
        change(&policy)
        return RateLimitMachine(policy)
    }

    private func reading(_ status: Int = 200, _ headers: HeaderFields = [:]) -> RateLimitReading {
        RateLimitReading(status: status, headers: headers, date: Date(timeIntervalSince1970: 1_000_000_000))
    }

    private func left(_ remaining: Int, _ reset: Int) -> RateLimitReading {
        reading(200, ["RateLimit-Remaining": "\(remaining)", "RateLimit-Reset": "\(reset)"])
    }

    private static func enter(
        _ machine: inout RateLimitMachine, _ id: Int, _ priority: Double = 0.5, remaining: Duration? = nil,
        at now: Duration = .zero
    ) -> RateLimitMachine.Decision {
        machine.enter(id, priority: priority, remaining: remaining, now: now)
    }

    @Test func `a burst is admitted at once, other calls at the rate`() {
        var machine = machine { $0.rate = .init(10, per: .seconds(1), burst: 3) }
        for id in 1...3 { #expect(Self.enter(&machine, id) == .go) }
        for id in 4...6 { #expect(Self.enter(&machine, id) == .wait(.rate)) }
        #expect(machine.next(now: .zero) == .milliseconds(100) && machine.advance(now: .milliseconds(99)).isEmpty)
        #expect(machine.advance(now: .milliseconds(100)) == [4])
        #expect(machine.advance(now: .seconds(9)) == [5, 6])
        #expect(machine.bucket?.tokens(at: .seconds(9)) == 1)
    }

    @Test func `a call that is abandoned before it is sent returns its token`() {
        var machine = machine { $0.rate = .init(1, per: .seconds(10)) }
        #expect(Self.enter(&machine, 1) == .go && Self.enter(&machine, 2) == .wait(.rate))
        machine.abandon(1, now: .zero)
        #expect(machine.advance(now: .zero) == [2] && machine.bucket?.tokens(at: .zero) == 0)
        #expect(machine.leave(2, nil, now: .zero).isEmpty && machine.bucket?.tokens(at: .zero) == 0)
    }

    @Test func `a call that would wait too long is refused at once`() {
        var machine = machine {
            $0.rate = .init(1, per: .seconds(10), burst: 1)
            $0.maximumWait = .seconds(25)
        }
        #expect(Self.enter(&machine, 1) == .go)
        #expect(Self.enter(&machine, 2) == .wait(.rate))
        #expect(Self.enter(&machine, 3, remaining: .seconds(20)) == .refuse(.init(wait: .seconds(20), reason: .rate)))
        #expect(Self.enter(&machine, 4, remaining: .seconds(21)) == .wait(.rate))
        #expect(Self.enter(&machine, 5) == .refuse(.init(wait: .seconds(30), reason: .rate)))
        #expect(Self.enter(&machine, 6, 1) == .wait(.rate), "a higher priority goes first")
        #expect(machine.advance(now: .seconds(10)) == [6])
    }

    @Test func `the highest priority is admitted first, equal priorities in order`() {
        var machine = machine { $0.concurrency = 1 }
        #expect(Self.enter(&machine, 1) == .go)
        for (id, priority) in [(2, 0.5), (3, 0.1), (4, 0.9), (5, 0.5), (6, 0.9)] {
            #expect(Self.enter(&machine, id, priority) == .wait(.concurrency))
        }
        machine.raise(3, to: 1, remaining: nil, now: .zero)
        machine.raise(2, to: 0.9, remaining: nil, now: .zero)
        machine.raise(99, to: 1, remaining: nil, now: .zero)
        #expect(machine.next(now: .zero) == nil, "only a leaving call frees a slot")
        var order: [Int] = []
        var running = 1
        while true {
            #expect(machine.leave(running, nil, now: .zero).isEmpty)
            guard let next = machine.advance(now: .zero).first else { break }
            order.append(next)
            running = next
        }
        #expect(order == [3, 2, 4, 6, 5] && !machine.isOccupied)
    }

    @Test func `a shared waiter has the longest time left of its callers`() {
        for (joining, isRefused) in [(Duration?.some(.seconds(60)), false), (nil, false), (.seconds(3), true)] {
            var machine = machine { $0.concurrency = 1 }
            #expect(Self.enter(&machine, 1) == .go)
            #expect(Self.enter(&machine, 2, remaining: .seconds(5)) == .wait(.concurrency))
            machine.raise(2, to: 0, remaining: joining, now: .zero)
            #expect(machine.leave(1, left(0, 30), now: .zero).isEmpty != isRefused)
        }
    }

    @Test func `when an exhausted quota resets, one request goes first`() {
        var machine = machine()
        #expect(Self.enter(&machine, 1) == .go)
        #expect(machine.leave(1, left(0, 30), now: .zero).isEmpty)
        #expect(Self.enter(&machine, 2, at: .seconds(10)) == .wait(.server))
        #expect(Self.enter(&machine, 3, at: .seconds(10)) == .wait(.server))
        #expect(Self.enter(&machine, 4, at: .seconds(10)) == .wait(.server))
        #expect(
            Self.enter(&machine, 5, remaining: .seconds(20), at: .seconds(10))
                == .refuse(.init(wait: .seconds(20), reason: .server)))
        #expect(machine.next(now: .seconds(10)) == .seconds(30))
        #expect(machine.advance(now: .seconds(30)) == [2], "one request is admitted first")
        #expect(machine.next(now: .seconds(30)) == .seconds(31))
        #expect(machine.advance(now: .seconds(31)) == [3], "another one follows if the first is slow")
        #expect(machine.leave(2, left(9, 30), now: .seconds(31)).isEmpty)
        #expect(machine.advance(now: .seconds(31)) == [4])
    }

    @Test func `no more requests are admitted than the quota has left`() {
        var machine = machine()
        #expect(Self.enter(&machine, 1) == .go)
        #expect(machine.leave(1, left(2, 30), now: .zero).isEmpty)
        #expect(Self.enter(&machine, 2) == .go && Self.enter(&machine, 3) == .go)
        #expect(Self.enter(&machine, 4) == .wait(.server))
        machine.abandon(3, now: .zero)
        #expect(machine.advance(now: .zero) == [4], "an abandoned request returns its share")
        #expect(machine.leave(2, left(1, 29), now: .seconds(1)).isEmpty)
        #expect(Self.enter(&machine, 5, at: .seconds(1)) == .wait(.server), "the host has not counted request 4 yet")
    }

    @Test func `a quota is replaced only by one of a later period`() {
        var machine = machine()
        for id in 1...3 { #expect(Self.enter(&machine, id) == .go) }
        #expect(machine.leave(1, left(0, 30), now: .zero).isEmpty)
        #expect(machine.leave(2, left(5, 31), now: .zero).isEmpty, "an overtaken response")
        #expect(Self.enter(&machine, 4) == .wait(.server))
        #expect(machine.leave(3, left(5, 60), now: .zero).isEmpty, "the next period")
        #expect(machine.advance(now: .zero) == [4])
    }

    @Test func `waiters are refused when their wait becomes too long`() {
        var machine = machine { $0.concurrency = 1 }
        #expect(Self.enter(&machine, 1) == .go)
        #expect(Self.enter(&machine, 2) == .wait(.concurrency))
        #expect(Self.enter(&machine, 3, remaining: .seconds(10)) == .wait(.concurrency))
        let refused = machine.leave(1, reading(429, ["Retry-After": "10"]), now: .zero)
        #expect(refused == [3: .init(wait: .seconds(10), reason: .server)] && machine.waiting == 1)
        #expect(machine.advance(now: .zero).isEmpty && machine.next(now: .zero) == .seconds(10))
        #expect(machine.advance(now: .seconds(10)) == [2])
        #expect(machine.leave(2, reading(429, ["Retry-After": "61"]), now: .seconds(10)).isEmpty)
        #expect(Self.enter(&machine, 4, at: .seconds(10)) == .refuse(.init(wait: .seconds(61), reason: .server)))
    }

    @Test(arguments: [(429, [:], 1.0), (429, ["Retry-After": "0"], 0), (503, [:], 0), (503, ["Retry-After": "2"], 2)])
    func `a 429 without Retry-After causes a short pause`(status: Int, headers: [String: String], pause: Double) {
        var machine = machine()
        #expect(Self.enter(&machine, 1) == .go)
        let reading = reading(status, HeaderFields(headers.map { .init($0.key, $0.value) }))
        #expect(machine.leave(1, reading, now: .zero).isEmpty)
        let decision = Self.enter(&machine, 2)
        #expect(decision == (pause > 0 ? .wait(.server) : .go))
        #expect(machine.next(now: .zero) == (pause > 0 ? .seconds(pause) : nil))
    }

    @Test func `the next request is the probe if a probe fails`() {
        var machine = machine()
        #expect(machine.take(left(0, 5), now: .zero).isEmpty)
        for id in 1...3 { #expect(Self.enter(&machine, id) == .wait(.server)) }
        #expect(machine.advance(now: .seconds(5)) == [1])
        #expect(machine.leave(1, nil, now: .seconds(5)).isEmpty)
        #expect(machine.advance(now: .seconds(5)) == [2])
        machine.abandon(2, now: .seconds(5))
        #expect(machine.advance(now: .seconds(5)) == [3])
    }

    @Test func `a call leaves only once`() {
        var machine = machine { $0.concurrency = 1 }
        #expect(Self.enter(&machine, 1) == .go)
        #expect(Self.enter(&machine, 2) == .wait(.concurrency))
        machine.abandon(2, now: .zero)
        machine.abandon(2, now: .zero)
        #expect(machine.leave(1, nil, now: .zero).isEmpty && machine.leave(1, nil, now: .zero).isEmpty)
        machine.abandon(1, now: .zero)
        #expect(!machine.isOccupied && machine.isIdle(at: .zero))
    }

    @Test(arguments: [
        RateLimitInterceptor.Policy.Rate(.min, per: .seconds(Int64.min), burst: .min),
        .init(.max, per: .seconds(Int64.max)),
        .init(0, per: .zero), .init(1, per: .seconds(Int64.max), burst: .max),
    ])
    func `a policy outside its bounds is clamped`(rate: RateLimitInterceptor.Policy.Rate) {
        var machine = machine {
            $0.rate = rate
            $0.concurrency = .min
            $0.maximumWait = .seconds(Int64.max)
            $0.pause = .seconds(Int64.max)
        }
        #expect(Self.enter(&machine, 1) == .go)
        #expect(machine.take(reading(429), now: .zero).isEmpty)
        #expect(Self.enter(&machine, 2, remaining: .seconds(Int64.min)) != .go)
        #expect(Self.enter(&machine, 3, .infinity, remaining: .seconds(Int64.max)) != .go)
        _ = machine.advance(now: .seconds(100_000))
    }
}
