import ErrandSupport

/// The state machine that limits connections to each origin and in total. Origins take turns. The requests to an
/// origin start in order.
///
/// When a request ends, the next request to its origin uses the connection, before another origin takes its turn. This
/// happens at most 16 times between two turns of an origin, so that the other origins are not blocked.
///
/// If an origin is known to multiplex (HTTP/2), many requests share one connection. See ``StreamCapacity``. If all of its
/// connections seem to be full, one request starts as a probe. The next requests wait for its result, because each of them
/// would open its own connection.
package struct ConnectionQueue<Ticket: Hashable & Sendable>: Sendable {
    private struct OriginQueue {
        var running = 0
        var multiplexes = false
        var capacity = StreamCapacity()
        var waiting = FIFOQueue<Ticket>()
        /// The request that tests whether the open connections have room.
        var probe: Ticket?
        /// The probes that were sent over a new connection, which other requests already use.
        var openers: Set<Ticket> = []
        /// The number of requests that started since the last turn because a connection was free.
        var reuses = 0

        /// The number of connections that the given number of requests requires.
        func connections(for requests: Int) -> Int {
            multiplexes ? capacity.connections(for: requests) : requests
        }

        /// Changes the number of running requests. Returns the change of the number of connections.
        mutating func run(_ more: Int) -> Int {
            running += more
            return connections(for: running) - connections(for: running - more)
        }

        /// Removes a request that has ended. Returns the change of the number of connections.
        mutating func leave(_ ticket: Ticket?, hasOpened: Bool) -> Int {
            let before = connections(for: running)
            running -= 1
            if hasOpened { capacity.open(.own, running: running) }
            guard multiplexes else { return -1 }
            if let ticket {
                if probe == ticket { probe = nil }
                openers.remove(ticket)
            }
            capacity.shrink(running: running)
            return connections(for: running) - before
        }

        /// Whether an open connection has room for one more request.
        var hasRoom: Bool { !multiplexes || running < capacity.total }
    }

    private let limitPerOrigin: Int
    private let limit: Int
    /// The maximum number of requests to an origin that start between two of its turns.
    private let maximumReuses: Int
    private typealias Queues = [Origin: OriginQueue]

    private var queues: Queues = [:]
    /// The origins that have waiting requests, in the order of their turns.
    private var waitingOrigins: ArraySlice<Origin> = []
    private var connections = 0

    package init(limitPerOrigin: Int, limit: Int, maximumReuses: Int = 16) {
        self.limitPerOrigin = max(1, limitPerOrigin)
        self.limit = max(1, limit)
        self.maximumReuses = maximumReuses
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
    ///   - hasOpened: Whether the request has opened a connection and was cancelled before ``opened(_:by:isFresh:)``. The
    ///     connection may stay open.
    ///   - isReusable: Whether the request ended without an error, so that its connection can probably be reused.
    /// - Returns: The tickets of the requests that start now.
    package mutating func leave(
        _ origin: Origin, _ ticket: Ticket? = nil, hasOpened: Bool = false, isReusable: Bool = false
    ) -> [Ticket] {
        guard let index = queues.index(forKey: origin), queues.values[index].running > 0 else { return [] }
        connections += queues.values[index].leave(ticket, hasOpened: hasOpened)
        guard isReusable, let reusing = reuse(at: index, origin) else {
            forgetIdle(at: index)
            return next()
        }
        return [reusing] + next()
    }

    /// Starts the first waiting request to an origin after one of its connections has become free. Returns `nil` if none
    /// may start.
    private mutating func reuse(at index: Queues.Index, _ origin: Origin) -> Ticket? {
        guard queues.values[index].reuses < maximumReuses, mayBegin(queues.values[index]),
            let ticket = queues.values[index].waiting.popFirst()
        else { return nil }
        queues.values[index].reuses += 1
        begin(ticket, at: index)
        if queues.values[index].waiting.isEmpty { waitingOrigins.removeAll { $0 == origin } }
        return ticket
    }

    /// Notes that a request has opened a connection, once for each request. With `isFresh`, it needed a connection even if
    /// others had room. Returns the tickets of the requests that start now.
    package mutating func opened(_ origin: Origin, by ticket: Ticket, isFresh: Bool = false) -> [Ticket] {
        change(origin) { queue in
            guard queue.multiplexes else { return }
            let isProbe = queue.probe == ticket
            if isProbe { queue.probe = nil }
            let isOpener = queue.openers.remove(ticket) != nil
            queue.capacity.open(
                isProbe ? .full : isOpener ? .fullAndShared : isFresh ? .own : .unexpected, running: queue.running)
        }
    }

    /// Notes that a probe was sent over a new connection. Returns the tickets of the requests that start now.
    package mutating func sent(_ origin: Origin, by ticket: Ticket) -> [Ticket] {
        change(origin) { queue in
            guard queue.probe == ticket, queue.capacity.openEarly() else { return }
            queue.probe = nil
            queue.openers.insert(ticket)
        }
    }

    /// Whether this request tests whether the open connections have room.
    package func isProbe(_ ticket: Ticket, _ origin: Origin) -> Bool { queues[origin]?.probe == ticket }

    /// Notes that a probe was sent over an open connection. All requests that ended before must have left. Returns the tickets
    /// of the requests that start now.
    package mutating func shared(_ origin: Origin, by ticket: Ticket) -> [Ticket] {
        change(origin) { queue in
            guard queue.probe == ticket else { return }
            queue.probe = nil
            queue.capacity.share(running: queue.running)
        }
    }

    /// Changes the known state of the connections to an origin. Returns the tickets of the requests that start now.
    private mutating func change(_ origin: Origin, _ body: (inout OriginQueue) -> Void) -> [Ticket] {
        guard let index = queues.index(forKey: origin) else { return [] }
        let running = queues.values[index].running
        connections -= queues.values[index].connections(for: running)
        body(&queues.values[index])
        connections += queues.values[index].connections(for: running)
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
        return change(origin) { queue in
            queue.multiplexes = multiplexes
            queue.capacity.reset()
            queue.probe = nil
            queue.openers = []
        }
    }

    private func mayBegin(_ queue: OriginQueue) -> Bool {
        guard queue.hasRoom || queue.probe == nil else { return false }
        let more = queue.connections(for: queue.running + 1)
        return more <= limitPerOrigin && connections - queue.connections(for: queue.running) + more <= limit
    }

    private mutating func begin(_ ticket: Ticket, at index: Queues.Index) {
        if !queues.values[index].hasRoom { queues.values[index].probe = ticket }
        connections += queues.values[index].run(1)
    }

    /// Removes an idle origin. Origins that multiplex are kept, up to 1,000, and those that may.
    private mutating func forgetIdle(at index: Queues.Index) {
        let queue = queues.values[index]
        guard queue.running == 0, queue.waiting.isEmpty else { return }
        if !queue.multiplexes && !queue.capacity.hasOpened || queues.count > 1_000 { queues.remove(at: index) }
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
            queues.values[index].reuses = 0
            begin(ticket, at: index)
            if !queues.values[index].waiting.isEmpty { waitingOrigins.append(origin) }
            begun.append(ticket)
        }
        return begun
    }
}
