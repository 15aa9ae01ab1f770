import Errand
import Foundation
import TestSupport
import Testing

#if os(Linux)
    @Suite struct ConnectionQueueTests {
        private func origin(_ name: String) -> Origin { Origin(URL(string: "http://\(name).test/")) }
        private var a: Origin { origin("a") }
        private var b: Origin { origin("b") }
        private var c: Origin { origin("c") }

        @Test func `requests beyond the limit wait and start in order`() {
            var queue = ConnectionQueue<Int>(limitPerOrigin: 2, limit: 10)
            #expect((1...5).map { queue.enter($0, a) } == [true, true, false, false, false])
            #expect(queue.leave(a) == [3])
            #expect(queue.leave(a) == [4])
            #expect(queue.enter(6, a) == false)
            #expect(queue.leave(a) == [5])
            #expect(queue.leave(a) == [6])
            #expect(queue.leave(a) == [])
            #expect(queue.leave(a) == [])
            #expect(queue.leave(a) == [])
            #expect(queue.enter(7, a) == true)
        }

        @Test func `origins share the total limit only`() {
            var queue = ConnectionQueue<Int>(limitPerOrigin: 2, limit: 3)
            #expect([queue.enter(1, a), queue.enter(2, a), queue.enter(3, b)] == [true, true, true])
            #expect([queue.enter(4, b), queue.enter(5, c)] == [false, false])
            #expect(queue.leave(a) == [4])
            #expect(queue.leave(b) == [5])
        }

        @Test func `origins take turns`() {
            var queue = ConnectionQueue<Int>(limitPerOrigin: 5, limit: 1)
            #expect(queue.enter(0, a) == true)
            for ticket in 1...3 { #expect(queue.enter(ticket, a) == false) }
            for ticket in 4...5 { #expect(queue.enter(ticket, b) == false) }
            #expect(queue.enter(6, c) == false)
            var order: [Int] = []
            for origin in [a, a, b, c, a, b, a] { order += queue.leave(origin) }
            #expect(order == [1, 4, 6, 2, 5, 3])
        }

        @Test func `an origin at its limit does not block others`() {
            var queue = ConnectionQueue<Int>(limitPerOrigin: 1, limit: 2)
            let begun = [queue.enter(1, a), queue.enter(2, a), queue.enter(3, b), queue.enter(4, c)]
            #expect(begun == [true, false, true, false])
            #expect(queue.leave(b) == [4])
            #expect(queue.leave(c) == [])
            #expect(queue.leave(a) == [2])
        }

        @Test func `an abandoned request is skipped and is removed once`() {
            var queue = ConnectionQueue<Int>(limitPerOrigin: 1, limit: 1)
            let begun = [queue.enter(1, a), queue.enter(2, a), queue.enter(3, b), queue.enter(4, a)]
            #expect(begun == [true, false, false, false])
            #expect(queue.abandon(2, a) == true)
            let others = [queue.abandon(2, a), queue.abandon(3, a), queue.abandon(1, a), queue.abandon(9, c)]
            #expect(!others.contains(true))
            #expect(queue.leave(a) == [4])
            #expect(queue.abandon(3, b) == true)
            #expect(queue.leave(a) == [])
            #expect(queue.enter(5, b) == true)
        }

        @Test func `a hundred requests share a connection of a multiplexing origin`() {
            var queue = ConnectionQueue<Int>(limitPerOrigin: 1, limit: 2)
            for ticket in 0..<250 { #expect(queue.enter(ticket, a) == (ticket == 0)) }
            #expect(queue.learn(a, multiplexes: true) == Array(1..<100))
            #expect(queue.learn(a, multiplexes: true) == [])
            #expect(queue.enter(1_000, b) == true)
            #expect(queue.enter(1_001, b) == false)
            #expect(queue.leave(a) == [100])
            // The queue remembers this while the origin is idle.
            for _ in 0..<250 { _ = queue.leave(a) }
            for ticket in 0...100 { #expect(queue.enter(ticket, a) == (ticket < 100)) }
            // When the origin stops multiplexing, requests wait until there is room.
            #expect(queue.learn(a, multiplexes: false) == [])
            for _ in 0..<99 { #expect(queue.leave(a) == []) }
            #expect(queue.leave(b) == [1_001])
        }

        @Test func `requests wait for the one that opens the next connection`() {
            var queue = ConnectionQueue<Int>(limitPerOrigin: 5, limit: 5)
            #expect(queue.enter(0, a) && queue.learn(a, multiplexes: true) == [])
            for ticket in 1..<400 { #expect(queue.enter(ticket, a) == (ticket <= 100)) }
            // Other requests of the connection only release their streams.
            #expect(queue.leave(a, 0, hasOpened: true) == [])
            #expect(queue.leave(a, 100, hasOpened: true) == Array(101...202))
            // The request has opened no connection, because there was room or because it failed. The next request
            // tries.
            #expect(queue.leave(a, 202) == [203])
            #expect(queue.leave(a, 203) == [204])
            #expect(queue.leave(a, 204, hasOpened: true) == Array(205...305))
        }

        @Test func `a connection is shared before the request that opened it ends`() {
            var queue = ConnectionQueue<Int>(limitPerOrigin: 5, limit: 5)
            #expect(queue.enter(0, a) && queue.learn(a, multiplexes: true) == [])
            for ticket in 1..<400 { #expect(queue.enter(ticket, a) == (ticket <= 100)) }
            let opened = [queue.opened(a, by: 7), queue.opened(b, by: 100), queue.opened(a, by: 100)]
            #expect(opened == [[], [], Array(101...200)])
            #expect(queue.opened(a, by: 100) == [] && queue.leave(a, 100, hasOpened: true) == [])
            #expect(queue.opened(a, by: 200) == Array(201...301))
        }

        @Test func `at least one connection is allowed with any limit`() {
            var queue = ConnectionQueue<Int>(limitPerOrigin: 0, limit: .min)
            #expect([queue.enter(1, a), queue.enter(2, a)] == [true, false])
            #expect(queue.leave(a) == [2])
        }

        /// Removal must find each ticket in the queue. Eight times the requests must not cost sixty-four times the
        /// time.
        @Test func `the cost of a long queue is proportional to its length`() {
            func cost(_ count: Int) -> Duration {
                var queue = ConnectionQueue<Int>(limitPerOrigin: 1, limit: 1)
                let half = count / 2
                return ContinuousClock().measure {
                    for ticket in 0..<count { _ = queue.enter(ticket, a) }
                    for ticket in stride(from: count - 1, to: half, by: -1) { _ = queue.abandon(ticket, a) }
                    for _ in 0..<half { _ = queue.leave(a) }
                }
            }
            let ratios = (0..<3).map { _ in cost(16_000) / cost(2_000) }
            #expect((ratios.min() ?? 0) < 24, "\(ratios)")
        }
    }
#endif
