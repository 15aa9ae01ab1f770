#if os(Linux)
    import Errand
    import Foundation
    import TestSupport
    import Testing

    /// Runs the queue with a client that behaves as libcurl does: it prefers open connections, and assumes 100 streams for a
    /// connection until the server has sent its SETTINGS frame.
    @Suite struct MultiplexingModelTests {
        @Test(arguments: TestEnvironment.sample([100, 250, 128, 5_000]), [1, 3, 20])
        func `connections to a multiplexing origin stay within their limit`(streams: Int, limit: Int) {
            for seed in 1...UInt64(TestEnvironment.rounds(3, heavy: 10)) {
                var model = Model(streams: streams, limit: limit, seed: seed)
                model.run(1)
                model.run(3_000, endsLate: true)
                let possible = limit == 1 ? 100 : limit * min(streams, 256)
                #expect(model.mostRunning == min(3_000, possible))
                for count in [40, 3_000, 700, 1_500, 90, 2_000] {
                    if model.random.next() % 2 == 0 { model.closeConnections() }
                    model.run(count)
                }
                #expect(model.ended == model.tickets && model.running.isEmpty, "seed \(seed)")
                #expect(model.mostConnections <= limit, "seed \(seed)")
            }
        }

        private struct Model {
            struct Connection {
                var requests = 0
                var isSettled = false
            }

            struct Request {
                let ticket: Int
                let connection: Int
                var hasOpened: Bool
                var hasHead = false
            }

            let streams: Int
            let origin = Origin(URL(string: "https://a.test/"))
            var random: SplitMix
            var queue: ConnectionQueue<Int>
            var connections: [Connection] = []
            var running: [Request] = []
            var mostConnections = 0
            var mostRunning = 0
            var tickets = 0
            var ended = 0

            init(streams: Int, limit: Int, seed: UInt64) {
                self.streams = min(streams, 256)
                random = SplitMix(state: seed)
                queue = ConnectionQueue(limitPerOrigin: limit, limit: limit)
            }

            mutating func closeConnections() { connections = [] }

            /// Starts requests, and ends them in random order: after their header sections, or if they are cancelled before.
            mutating func run(_ count: Int, endsLate: Bool = false) {
                for _ in 0..<count {
                    tickets += 1
                    if queue.enter(tickets, origin) { send([tickets]) }
                }
                while !running.isEmpty {
                    if endsLate, let index = running.firstIndex(where: { !$0.hasHead }) {
                        receiveHead(at: index)
                    } else {
                        let index = Int(random.next() % UInt64(running.count))
                        let isCancelled = !endsLate && random.next() % 16 == 0
                        if isCancelled || running[index].hasHead { end(at: index) } else { receiveHead(at: index) }
                    }
                }
            }

            private mutating func receiveHead(at index: Int) {
                let request = running[index]
                running[index].hasHead = true
                running[index].hasOpened = false
                connections[request.connection].isSettled = true
                send(queue.learn(origin, multiplexes: true))
                if request.hasOpened { send(queue.opened(origin, by: request.ticket)) }
            }

            private mutating func end(at index: Int) {
                running.swapAt(index, running.count - 1)
                let request = running.removeLast()
                connections[request.connection].requests -= 1
                ended += 1
                send(queue.leave(origin, request.ticket, hasOpened: request.hasOpened))
            }

            private mutating func send(_ begun: [Int]) {
                var begun = begun[...]
                while let ticket = begun.popFirst() {
                    let isProbe = queue.isProbe(ticket, origin)
                    let open = connections.firstIndex { $0.requests < ($0.isSettled ? streams : 100) }
                    if open == nil { connections.append(Connection()) }
                    let connection = open ?? connections.count - 1
                    connections[connection].requests += 1
                    running.append(Request(ticket: ticket, connection: connection, hasOpened: open == nil))
                    mostConnections = max(mostConnections, connections.count)
                    mostRunning = max(mostRunning, running.count)
                    guard isProbe else { continue }
                    begun += open == nil ? queue.sent(origin, by: ticket) : queue.shared(origin, by: ticket)
                }
            }
        }
    }
#endif
