import ErrandSupport

/// The state machine that limits connections to each origin and in total. Origins take turns. The requests to an
/// origin start in order.
///
/// If an origin is known to multiplex (HTTP/2), many requests share one connection. If all of its connections are
/// full, one request starts and opens another. The next requests wait for it, because each of them would open its own.
package struct ConnectionQueue<Ticket: Hashable & Sendable>: Sendable {
    private struct OriginQueue {
        var running = 0
        var multiplexes = false
        var waiting = FIFOQueue<Ticket>()
        /// The number of open connections, as far as is known, and the request that opens one more.
        var shared = 1
        var opener: Ticket?

        /// The number of connections that the given number of requests requires.
        func connections(for requests: Int) -> Int {
            let streams = ConnectionQueue.streamsPerConnection
            return multiplexes ? (requests + streams - 1) / streams : requests
        }

        /// Changes the number of running requests. Returns the change of the number of connections.
        mutating func run(_ more: Int) -> Int {
            running += more
            return connections(for: running) - connections(for: running - more)
        }

        /// Updates the number of open connections after a request.
        mutating func giveBack(isOpener: Bool, hasOpened: Bool) {
            if isOpener { opener = nil }
            // One idle connection may stay open for a while. Servers will have closed any others.
            shared = max(1, min(shared + (isOpener && hasOpened ? 1 : 0), 1 + connections(for: running)))
        }

        /// Whether an open connection has room for one more request.
        var hasRoom: Bool { !multiplexes || running < shared * ConnectionQueue.streamsPerConnection }
    }

    /// The number of requests that share a multiplexed connection: 100, the minimum that RFC 9113, section 6.5.2,
    /// recommends for servers.
    package static var streamsPerConnection: Int { 100 }

    private let limitPerOrigin: Int
    private let limit: Int
    private typealias Queues = [Origin: OriginQueue]

    private var queues: Queues = [:]
    /// The origins that have waiting requests, in the order of their turns.
    private var waitingOrigins: ArraySlice<Origin> = []
    private var connections = 0

    package init(limitPerOrigin: Int, limit: Int) {
        self.limitPerOrigin = max(1, limitPerOrigin)
        self.limit = max(1, limit)
    }

    /// Returns whether a request may start. Otherwise its ticket waits.
    package mutating func enter(_ ticket: Ticket, _ origin: Origin) -> Bool {
        if queues[origin] == nil { queues[origin] = OriginQueue() }
        // One lookup, and changes in place: a copy would take time in proportion to the number of waiting requests.
        guard let index = queues.index(forKey: origin) else { return false }
        let hasWaiting = !queues.values[index].waiting.isEmpty
        guard !hasWaiting, mayBegin(queues.values[index]) else {
            if !hasWaiting { waitingOrigins.append(origin) }
            queues.values[index].waiting.append(ticket)
            return false
        }
        begin(ticket, at: index)
        return true
    }

    /// Removes a request that has ended.
    ///
    /// - Parameters:
    ///   - origin: The request's origin.
    ///   - ticket: The request's ticket.
    ///   - hasOpened: Whether the request has opened a connection that works.
    /// - Returns: The tickets of the requests that start now.
    package mutating func leave(_ origin: Origin, _ ticket: Ticket? = nil, hasOpened: Bool = false) -> [Ticket] {
        guard let index = queues.index(forKey: origin), queues.values[index].running > 0 else { return [] }
        let isOpener = ticket != nil && queues.values[index].opener == ticket
        connections += queues.values[index].run(-1)
        queues.values[index].giveBack(isOpener: isOpener, hasOpened: hasOpened)
        forgetIdle(at: index)
        return next()
    }

    /// Notes that a request has opened its connection. Returns the tickets of the requests that start now.
    package mutating func opened(_ origin: Origin, by ticket: Ticket) -> [Ticket] {
        guard let index = queues.index(forKey: origin), queues.values[index].opener == ticket else { return [] }
        queues.values[index].giveBack(isOpener: true, hasOpened: true)
        return next()
    }

    /// Removes a waiting ticket. Returns `false` if it is not waiting.
    package mutating func abandon(_ ticket: Ticket, _ origin: Origin) -> Bool {
        guard queues[origin]?.waiting.remove(ticket) == true else { return false }
        if queues[origin]?.waiting.isEmpty == true { waitingOrigins.removeAll { $0 == origin } }
        if let index = queues.index(forKey: origin) { forgetIdle(at: index) }
        return true
    }

    /// Notes whether an origin multiplexes. Returns the tickets of the requests that start now.
    package mutating func learn(_ origin: Origin, multiplexes: Bool) -> [Ticket] {
        guard let queue = queues[origin], queue.multiplexes != multiplexes else { return [] }
        connections -= queue.connections(for: queue.running)
        queues[origin]?.multiplexes = multiplexes
        queues[origin]?.opener = nil
        connections += queues[origin]?.connections(for: queue.running) ?? 0
        return next()
    }

    private func mayBegin(_ queue: OriginQueue) -> Bool {
        guard queue.hasRoom || queue.opener == nil else { return false }
        let more = queue.connections(for: queue.running + 1)
        return more <= limitPerOrigin && connections - queue.connections(for: queue.running) + more <= limit
    }

    private mutating func begin(_ ticket: Ticket, at index: Queues.Index) {
        if !queues.values[index].hasRoom { queues.values[index].opener = ticket }
        connections += queues.values[index].run(1)
    }

    /// Removes an idle origin. Origins that multiplex are kept, up to 1,000.
    private mutating func forgetIdle(at index: Queues.Index) {
        let queue = queues.values[index]
        guard queue.running == 0, queue.waiting.isEmpty else { return }
        if !queue.multiplexes || queues.count > 1_000 { queues.remove(at: index) }
    }

    private mutating func next() -> [Ticket] {
        var begun: [Ticket] = []
        var passed = 0
        while passed < waitingOrigins.count, let origin = waitingOrigins.popFirst() {
            guard let index = queues.index(forKey: origin), mayBegin(queues.values[index]),
                let ticket = queues.values[index].waiting.popFirst()
            else {
                waitingOrigins.append(origin)
                passed += 1
                continue
            }
            passed = 0
            begin(ticket, at: index)
            if !queues.values[index].waiting.isEmpty { waitingOrigins.append(origin) }
            begun.append(ticket)
        }
        return begun
    }
}
