#if os(Linux)
    import Errand
    import Foundation
    import TestSupport
    import Testing

    /// Compares the queue with a model that counts requests and ignores their order.
    @Suite struct ConnectionQueueModelTests {
        @Test(arguments: 0..<8 as Range<UInt64>)
        func `no request is lost or waits needlessly, and limits hold`(seed: UInt64) {
            var model = Model(seed: seed)
            let rounds = TestEnvironment.rounds(3_000, heavy: 60_000, patient: 1_000)
            for step in 0..<rounds {
                model.step()
                model.check()
                guard model.flaws.isEmpty else { break }
                if step % 500 == 499 { model.drain() }
            }
            model.drain()
            #expect(model.flaws == [])
            #expect(model.begun + model.abandoned == model.entered)
            #expect(model.entered > rounds / 6)
        }

        /// With a total limit of one, each origin starts at most `turn` requests before another origin takes its turn. Each
        /// request that ends is followed by a new one to the same origin.
        @Test(arguments: [2, 5, 17], [1, 17])
        func `each origin receives its share`(count: Int, turn: Int) {
            let origins = (0..<count).map { Origin(URL(string: "http://o\($0).test/")) }
            var queue = ConnectionQueue<Int>(limitPerOrigin: 8, limit: 1, maximumReuses: turn - 1)
            var turns = [Int](repeating: 0, count: count)
            for (index, origin) in origins.enumerated() {
                // The first origin has a hundred waiting requests, the last one has two.
                for ticket in 0..<(index == 0 ? 100 : 2) { _ = queue.enter(index + ticket * count, origin) }
            }
            var (running, ticket) = (0, 1_000 * count)
            for _ in 0..<(count * 10 * turn) {
                guard let next = queue.leave(origins[running], isReusable: true).first else { break }
                running = next % count
                turns[running] += 1
                ticket += count
                _ = queue.enter(running + ticket, origins[running])
            }
            // The first origin uses its connection again before the first turn, which is also its own.
            #expect((turns.min() ?? 0) > 0 && (turns.max() ?? 0) - (turns.min() ?? 0) < 2 * turn, "\(turns)")
        }
    }

    private struct Model {
        private static let perOrigin = 3
        private static let inAll = 8
        private let origins = (0..<6).map { Origin(URL(string: "http://o\($0).test/")) }
        private var queue = ConnectionQueue<Int>(limitPerOrigin: perOrigin, limit: inAll)
        private var running = [Int](repeating: 0, count: 6)
        private var waiting: [[Int]] = Array(repeating: [], count: 6)
        private var multiplexes = [Bool](repeating: false, count: 6)
        private var random: SplitMix
        private(set) var entered = 0
        private(set) var begun = 0
        private(set) var abandoned = 0
        private(set) var flaws: [String] = []

        init(seed: UInt64) { random = SplitMix(state: seed) }

        private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

        mutating func step() {
            let index = below(6)
            switch below(20) {
            case 0..<9:
                let ticket = entered
                entered += 1
                if queue.enter(ticket, origins[index]) {
                    (begun, running[index]) = (begun + 1, running[index] + 1)
                } else {
                    waiting[index].append(ticket)
                }
            case 9..<16:
                let hadSomebody = running[index] > 0
                let next = queue.leave(origins[index], isReusable: below(2) == 0)
                if hadSomebody {
                    running[index] -= 1
                } else if !next.isEmpty {
                    flaws.append("expected no start without an end, found \(next)")
                }
                begin(next)
            case 16..<19:
                guard let ticket = waiting[index].randomElement(using: &random) else { return }
                if !queue.abandon(ticket, origins[index]) { flaws.append("request \(ticket) is not waiting") }
                if queue.abandon(ticket, origins[index]) { flaws.append("request \(ticket) was removed twice") }
                waiting[index].removeAll { $0 == ticket }
                abandoned += 1
            default:
                // A connected request reports it. The change goes in one direction only, because the other one may
                // exceed the limits until some requests have ended.
                guard running[index] > 0, !multiplexes[index], below(4) == 0 else { return }
                multiplexes[index] = true
                begin(queue.learn(origins[index], multiplexes: true))
            }
        }

        private mutating func begin(_ tickets: [Int]) {
            for ticket in tickets {
                guard let index = waiting.firstIndex(where: { $0.first == ticket }) else {
                    flaws.append("request \(ticket) started before the first waiting request")
                    continue
                }
                waiting[index].removeFirst()
                (begun, running[index]) = (begun + 1, running[index] + 1)
            }
        }

        private func connections(_ index: Int, more: Int = 0) -> Int {
            multiplexes[index] ? (running[index] + more + 99) / 100 : running[index] + more
        }

        mutating func check() {
            let all = origins.indices.map { connections($0) }
            if all.reduce(0, +) > Self.inAll {
                flaws.append("expected at most \(Self.inAll) connections, found \(all)")
            }
            for index in origins.indices {
                if all[index] > Self.perOrigin {
                    flaws.append("expected at most \(Self.perOrigin) connections of an origin, found \(all[index])")
                }
                let more = connections(index, more: 1)
                let hasRoom = more <= Self.perOrigin && all.reduce(0, +) - all[index] + more <= Self.inAll
                if hasRoom, !waiting[index].isEmpty {
                    flaws.append("\(waiting[index].count) requests wait although a connection is free")
                }
            }
        }

        /// Ends running requests until all requests have ended.
        mutating func drain() {
            while let index = running.firstIndex(where: { $0 > 0 }) {
                running[index] -= 1
                begin(queue.leave(origins[index], isReusable: below(2) == 0))
                check()
                if !flaws.isEmpty { return }
            }
            if waiting.contains(where: { !$0.isEmpty }) {
                flaws.append("a request waits although no request is running")
            }
        }
    }
#endif
