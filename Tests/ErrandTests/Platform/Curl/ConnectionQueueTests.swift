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

        @Test func `a free connection is used again before another origin takes its turn`() {
            var queue = ConnectionQueue<Int>(limitPerOrigin: 5, limit: 1, maximumReuses: 2)
            #expect(queue.enter(0, a) == true)
            for ticket in 1...4 { #expect(queue.enter(ticket, a) == false) }
            for ticket in 5...6 { #expect(queue.enter(ticket, b) == false) }
            var order: [Int] = []
            for origin in [a, a, a, a, a, b] { order += queue.leave(origin, isReusable: true) }
            // The turn of `a` comes first, because it waited first.
            #expect(order == [1, 2, 3, 4, 5, 6])
            for ticket in 7...10 { #expect(queue.enter(ticket, a) == false) }
            #expect(queue.enter(11, b) == false)
            order = []
            for origin in [b, b, a, a, a] { order += queue.leave(origin, isReusable: true) }
            #expect(order == [11, 7, 8, 9, 10])
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
            #expect(queue.opened(a, by: 0) == [] && queue.leave(a, 0) == [])
            #expect(queue.opened(a, by: 100) == Array(101...201) && queue.leave(a, 100) == [])
            // The probe has failed. The next request is the probe.
            #expect(queue.leave(a, 201) == [202, 203])
            #expect(queue.leave(a, 203) == [204])
            #expect(queue.opened(a, by: 204) == Array(205...304))
        }

        @Test func `a connection is shared before the request that opened it ends`() {
            var queue = ConnectionQueue<Int>(limitPerOrigin: 5, limit: 5)
            #expect(queue.enter(0, a) && queue.learn(a, multiplexes: true) == [])
            for ticket in 1..<400 { #expect(queue.enter(ticket, a) == (ticket <= 100)) }
            let opened = [queue.opened(a, by: 7), queue.opened(b, by: 100), queue.opened(a, by: 100)]
            #expect(opened == [[], [], Array(101...200)])
            #expect(queue.opened(a, by: 100) == [] && queue.leave(a, 100) == [])
            #expect(queue.opened(a, by: 200) == Array(201...301))
        }

        @Test func `the number of streams grows until a request opens a connection`() {
            var queue = ConnectionQueue<Int>(limitPerOrigin: 5, limit: 5)
            #expect(queue.enter(0, a) && queue.learn(a, multiplexes: true) == [])
            for ticket in 1..<1_000 { #expect(queue.enter(ticket, a) == (ticket <= 100)) }
            #expect(queue.isProbe(100, a) && !queue.isProbe(99, a) && !queue.isProbe(100, b))
            #expect(queue.shared(a, by: 7) == [] && queue.shared(b, by: 100) == [])
            for ticket in 101..<250 { #expect(queue.shared(a, by: ticket - 1) == [ticket]) }
            // The server allows 249 streams.
            #expect(queue.isProbe(249, a) && queue.opened(a, by: 249) == Array(250...498))
            #expect(queue.leave(a, 249) == [])
            #expect(queue.leave(a, 498) == [499, 500])
            // When the origin is idle, its connections may be closed. A new one carries 100 requests until more is known.
            for ticket in 0..<1_000 { _ = queue.leave(a, ticket) }
            for ticket in 0..<400 { #expect(queue.enter(ticket, a) == (ticket <= 100)) }
            // Nothing is learned if a request has ended before the probe was sent.
            #expect(queue.leave(a, 0) == [] && queue.shared(a, by: 100) == [101])
            #expect(queue.shared(a, by: 101) == [102])
            // The origin has used HTTP/1.1. Nothing is known about its next connection.
            #expect(queue.learn(a, multiplexes: false) == [] && queue.learn(a, multiplexes: true) == [103])
        }

        @Test func `an unexpected connection shows that the server allows fewer streams`() {
            var queue = ConnectionQueue<Int>(limitPerOrigin: 3, limit: 5)
            #expect(queue.enter(0, a) && queue.learn(a, multiplexes: true) == [])
            for ticket in 1..<600 { _ = queue.enter(ticket, a) }
            for ticket in 101..<200 { #expect(queue.shared(a, by: ticket - 1) == [ticket]) }
            // A request that needs its own connection shows nothing.
            #expect(queue.opened(a, by: 3, isFresh: true) == [])
            for ticket in 200..<300 { #expect(queue.shared(a, by: ticket - 1) == [ticket]) }
            // With 100 streams for each connection, 300 requests are the limit.
            for ticket in 4...6 { #expect(queue.opened(a, by: ticket) == []) }
            #expect(queue.shared(a, by: 299) == [])
            #expect(queue.leave(a, 5) == [300])
        }

        @Test func `a new connection is shared early if another one has carried 101 requests`() {
            var queue = ConnectionQueue<Int>(limitPerOrigin: 9, limit: 9)
            #expect(queue.enter(0, a) && queue.learn(a, multiplexes: true) == [])
            for ticket in 1..<900 { _ = queue.enter(ticket, a) }
            // The server may allow less than 101 streams, so nothing is sent before its SETTINGS frame.
            #expect(queue.sent(a, by: 100) == [] && queue.isProbe(100, a))
            #expect(queue.shared(a, by: 100) == [101] && queue.shared(a, by: 101) == [102])
            #expect(queue.sent(a, by: 102) == Array(103...202))
            #expect(queue.opened(a, by: 102) == [203] && queue.opened(a, by: 202) == Array(204...306))
        }

        @Test func `the number of streams is limited`() {
            var queue = ConnectionQueue<Int>(limitPerOrigin: 2, limit: 5)
            #expect(queue.enter(0, a) && queue.learn(a, multiplexes: true) == [])
            for ticket in 1..<3_000 { _ = queue.enter(ticket, a) }
            var probe = 100
            while probe < 2_999, let next = queue.shared(a, by: probe).first { probe = next }
            #expect(probe == 511)
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
