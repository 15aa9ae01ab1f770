import ErrandSupport

/// Decides who may use a connection next: at most so many to one origin and in all, each origin in its turn, and within an
/// origin whoever came first.
///
/// An origin that is known to multiplex (HTTP/2) shares one connection among many requests. Where all its connections are
/// full, one request begins that opens another; more begin when that one has ended, as each would open one of its own.
package struct ConnectionQueue<Ticket: Hashable & Sendable>: Sendable {
    private struct Lane {
        var running = 0
        var multiplexes = false
        var waiting = FIFOQueue<Ticket>()
        /// The connections that are there, as far as is known, and the request that opens one more.
        var shared = 1
        var opener: Ticket?

        /// The connections that so many requests take.
        func connections(for requests: Int) -> Int {
            let streams = ConnectionQueue.streamsPerConnection
            return multiplexes ? (requests + streams - 1) / streams : requests
        }

        /// Counts so many more, or fewer, that run; how many connections more that takes.
        mutating func run(_ more: Int) -> Int {
            running += more
            return connections(for: running) - connections(for: running - more)
        }

        /// Notes what one that has left knew of the connections.
        mutating func giveBack(isOpener: Bool, hasOpened: Bool) {
            if isOpener { opener = nil }
            // One more than are needed may stay open for a while; what is believed beyond that, servers will have closed.
            shared = max(1, min(shared + (isOpener && hasOpened ? 1 : 0), 1 + connections(for: running)))
        }

        /// Whether one more has a place on a connection that is there.
        var hasRoom: Bool { !multiplexes || running < shared * ConnectionQueue.streamsPerConnection }
    }

    /// The requests that share a connection where the protocol can: 100, the least that RFC 9113, section 6.5.2, advises
    /// servers to allow.
    package static var streamsPerConnection: Int { 100 }

    private let limitPerOrigin: Int
    private let limit: Int
    private typealias Lanes = [Origin: Lane]

    private var lanes: Lanes = [:]
    /// The origins that have somebody waiting, whose turn is next first.
    private var turns: ArraySlice<Origin> = []
    private var connections = 0

    package init(limitPerOrigin: Int, limit: Int) {
        self.limitPerOrigin = max(1, limitPerOrigin)
        self.limit = max(1, limit)
    }

    /// Whether a request may begin; if not, its ticket waits.
    package mutating func enter(_ ticket: Ticket, _ origin: Origin) -> Bool {
        if lanes[origin] == nil { lanes[origin] = Lane() }
        // One search, and changes in place: a copy would cost as much as the line is long.
        guard let place = lanes.index(forKey: origin) else { return false }
        let hasLine = !lanes.values[place].waiting.isEmpty
        guard !hasLine, mayBegin(lanes.values[place]) else {
            if !hasLine { turns.append(origin) }
            lanes.values[place].waiting.append(ticket)
            return false
        }
        begin(ticket, at: place)
        return true
    }

    /// Gives a place back, and names those who may begin now.
    ///
    /// - Parameters:
    ///   - origin: Where the place was.
    ///   - ticket: Whose it was.
    ///   - hasOpened: Whether it has opened a connection, and one that works.
    /// - Returns: Who begins.
    package mutating func leave(_ origin: Origin, _ ticket: Ticket? = nil, hasOpened: Bool = false) -> [Ticket] {
        guard let place = lanes.index(forKey: origin), lanes.values[place].running > 0 else { return [] }
        let isOpener = ticket != nil && lanes.values[place].opener == ticket
        connections += lanes.values[place].run(-1)
        lanes.values[place].giveBack(isOpener: isOpener, hasOpened: hasOpened)
        forgetIdle(at: place)
        return next()
    }

    /// Learns that the connection stands which a ticket opens, and names those who may begin now.
    package mutating func opened(_ origin: Origin, by ticket: Ticket) -> [Ticket] {
        guard let place = lanes.index(forKey: origin), lanes.values[place].opener == ticket else { return [] }
        lanes.values[place].giveBack(isOpener: true, hasOpened: true)
        return next()
    }

    /// Takes a waiting ticket away; false where it does not wait.
    package mutating func abandon(_ ticket: Ticket, _ origin: Origin) -> Bool {
        guard lanes[origin]?.waiting.remove(ticket) == true else { return false }
        if lanes[origin]?.waiting.isEmpty == true { turns.removeAll { $0 == origin } }
        if let place = lanes.index(forKey: origin) { forgetIdle(at: place) }
        return true
    }

    /// Learns whether an origin multiplexes, and names those who may begin now.
    package mutating func learn(_ origin: Origin, multiplexes: Bool) -> [Ticket] {
        guard let lane = lanes[origin], lane.multiplexes != multiplexes else { return [] }
        connections -= lane.connections(for: lane.running)
        lanes[origin]?.multiplexes = multiplexes
        lanes[origin]?.opener = nil
        connections += lanes[origin]?.connections(for: lane.running) ?? 0
        return next()
    }

    private func mayBegin(_ lane: Lane) -> Bool {
        guard lane.hasRoom || lane.opener == nil else { return false }
        let more = lane.connections(for: lane.running + 1)
        return more <= limitPerOrigin && connections - lane.connections(for: lane.running) + more <= limit
    }

    private mutating func begin(_ ticket: Ticket, at place: Lanes.Index) {
        if !lanes.values[place].hasRoom { lanes.values[place].opener = ticket }
        connections += lanes.values[place].run(1)
    }

    /// What was learned of an origin is kept while it is used, and for some others beyond that.
    private mutating func forgetIdle(at place: Lanes.Index) {
        let lane = lanes.values[place]
        guard lane.running == 0, lane.waiting.isEmpty else { return }
        if !lane.multiplexes || lanes.count > 1_000 { lanes.remove(at: place) }
    }

    private mutating func next() -> [Ticket] {
        var begun: [Ticket] = []
        var passed = 0
        while passed < turns.count, let origin = turns.popFirst() {
            guard let place = lanes.index(forKey: origin), mayBegin(lanes.values[place]),
                let ticket = lanes.values[place].waiting.popFirst()
            else {
                turns.append(origin)
                passed += 1
                continue
            }
            passed = 0
            begin(ticket, at: place)
            if !lanes.values[place].waiting.isEmpty { turns.append(origin) }
            begun.append(ticket)
        }
        return begun
    }
}
