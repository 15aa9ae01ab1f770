#if os(Linux)
    import Errand
    import Foundation
    import TestSupport
    import Testing

    /// Runs the queue with a client that prefers its open connections, as libcurl does, and a server with a limit of
    /// streams.
    @Suite struct MultiplexingModelTests {
        @Test(arguments: [100, 128, 250, 999, 5_000], [1, 3, 20])
        func `connections to a multiplexing origin stay within their limit`(streams: Int, limit: Int) {
            for seed in 1...UInt64(TestEnvironment.rounds(3, heavy: 30)) {
                var model = Model(streams: streams, limit: limit, seed: seed)
                // Idle times follow, after which the connections are still open.
                for count in [1, 3_000, 40, 3_000, 700] { model.run(count) }
                #expect(model.most <= limit && model.running.isEmpty, "seed \(seed), \(model.connections)")
                let expected = limit == 1 ? 100 : min(streams, 1_000)
                #expect(model.most == limit || model.most <= 3_000 / expected + 1)
            }
        }

        private struct Model {
            let streams: Int
            let origin = Origin(URL(string: "https://a.test/"))
            var random: SplitMix
            var queue: ConnectionQueue<Int>
            /// The number of requests on each open connection.
            var connections: [Int] = []
            var running: [(ticket: Int, connection: Int, hasOpened: Bool)] = []
            var most = 0
            var tickets = 0

            init(streams: Int, limit: Int, seed: UInt64) {
                self.streams = min(streams, ConnectionQueue<Int>.maximumStreams)
                random = SplitMix(state: seed)
                queue = ConnectionQueue(limitPerOrigin: limit, limit: limit)
            }

            /// Starts requests, and ends them in random order.
            mutating func run(_ count: Int) {
                for _ in 0..<count {
                    tickets += 1
                    if queue.enter(tickets, origin) { send([tickets]) }
                }
                while !running.isEmpty {
                    let index = Int(random.next() % UInt64(running.count))
                    let (ticket, connection, hasOpened) = running[index]
                    send(queue.learn(origin, multiplexes: true))
                    if hasOpened, random.next() % 2 == 0 { send(queue.opened(origin, by: ticket)) }
                    running.swapAt(index, running.count - 1)
                    running.removeLast()
                    connections[connection] -= 1
                    send(queue.leave(origin, ticket, hasOpened: hasOpened))
                }
            }

            private mutating func send(_ begun: [Int]) {
                var begun = begun[...]
                while let ticket = begun.popFirst() {
                    let isProbe = queue.isProbe(ticket, origin)
                    let open = connections.firstIndex { $0 < streams }
                    if open == nil { connections.append(0) }
                    let connection = open ?? connections.count - 1
                    connections[connection] += 1
                    most = max(most, connections.count)
                    running.append((ticket, connection, open == nil))
                    if isProbe, open != nil { begun += queue.shared(origin, by: ticket) }
                }
            }
        }
    }
#endif
