/// Decides who may use a connection next: at most so many to one origin and in all, each origin in its turn, and within an
/// origin whoever came first.
///
/// An origin that is known to multiplex (HTTP/2) shares one connection among many requests.
struct ConnectionQueue<Ticket: Hashable & Sendable>: Sendable {
    private struct Lane {
        var running = 0
        var waiting: ArraySlice<Ticket> = []
        var multiplexes = false

        /// The connections that so many requests take.
        func connections(for requests: Int) -> Int {
            let streams = ConnectionQueue.streamsPerConnection
            return multiplexes ? (requests + streams - 1) / streams : requests
        }
    }

    /// The requests that share a connection where the protocol can: 100, the least that RFC 9113, section 6.5.2, advises
    /// servers to allow.
    static var streamsPerConnection: Int { 100 }

    private let limitPerOrigin: Int
    private let limit: Int
    private var lanes: [Origin: Lane] = [:]
    /// The origins that have somebody waiting, whose turn is next first.
    private var turns: ArraySlice<Origin> = []
    private var connections = 0

    init(limitPerOrigin: Int, limit: Int) {
        self.limitPerOrigin = max(1, limitPerOrigin)
        self.limit = max(1, limit)
    }

    /// Whether a request may begin; if not, its ticket waits.
    mutating func enter(_ ticket: Ticket, _ origin: Origin) -> Bool {
        var lane = lanes[origin] ?? Lane()
        guard lane.waiting.isEmpty, mayBegin(lane) else {
            if lane.waiting.isEmpty { turns.append(origin) }
            lane.waiting.append(ticket)
            lanes[origin] = lane
            return false
        }
        begin(&lane)
        lanes[origin] = lane
        return true
    }

    /// Gives a place back, and names those who may begin now.
    mutating func leave(_ origin: Origin) -> [Ticket] {
        guard var lane = lanes[origin], lane.running > 0 else { return [] }
        connections -= lane.connections(for: lane.running)
        lane.running -= 1
        connections += lane.connections(for: lane.running)
        keep(lane, origin)
        return next()
    }

    /// Takes a waiting ticket away; false where it does not wait.
    mutating func abandon(_ ticket: Ticket, _ origin: Origin) -> Bool {
        guard var lane = lanes[origin], let index = lane.waiting.firstIndex(of: ticket) else { return false }
        lane.waiting.remove(at: index)
        if lane.waiting.isEmpty { turns.removeAll { $0 == origin } }
        keep(lane, origin)
        return true
    }

    /// Learns whether an origin multiplexes, and names those who may begin now.
    mutating func learn(_ origin: Origin, multiplexes: Bool) -> [Ticket] {
        guard var lane = lanes[origin], lane.multiplexes != multiplexes else { return [] }
        connections -= lane.connections(for: lane.running)
        lane.multiplexes = multiplexes
        connections += lane.connections(for: lane.running)
        lanes[origin] = lane
        return next()
    }

    private func mayBegin(_ lane: Lane) -> Bool {
        let more = lane.connections(for: lane.running + 1)
        return more <= limitPerOrigin && connections - lane.connections(for: lane.running) + more <= limit
    }

    private mutating func begin(_ lane: inout Lane) {
        connections -= lane.connections(for: lane.running)
        lane.running += 1
        connections += lane.connections(for: lane.running)
    }

    /// What was learned of an origin is kept while it is used, and for some others beyond that.
    private mutating func keep(_ lane: Lane, _ origin: Origin) {
        let isIdle = lane.running == 0 && lane.waiting.isEmpty
        lanes[origin] = isIdle && (!lane.multiplexes || lanes.count > 1_000) ? nil : lane
    }

    private mutating func next() -> [Ticket] {
        var begun: [Ticket] = []
        var passed = 0
        while passed < turns.count, let origin = turns.popFirst() {
            guard var lane = lanes[origin], mayBegin(lane), let ticket = lane.waiting.popFirst() else {
                turns.append(origin)
                passed += 1
                continue
            }
            passed = 0
            begin(&lane)
            lanes[origin] = lane
            if !lane.waiting.isEmpty { turns.append(origin) }
            begun.append(ticket)
        }
        return begun
    }
}
