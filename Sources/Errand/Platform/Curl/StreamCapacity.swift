/// The number of requests that the multiplexed connections to an origin carry, as far as it is known.
///
/// The server decides how many requests share a connection. libcurl knows the limits but does not tell. They are therefore
/// learned from the requests that start although all connections seem to be full: each of them either shares a connection,
/// which then carries one more than was known, or opens another one.
struct StreamCapacity: Sendable {
    /// The number of requests on a connection before more is known: 100, the minimum that RFC 9113, section 6.5.2,
    /// recommends for servers. libcurl assumes the same number until it has received the server's SETTINGS frame.
    static let initialStreams = 100
    /// The maximum number of requests on a connection, if the server allows this number. More would fail together if
    /// the connection is lost.
    static let maximumStreams = 256

    /// The number of requests that each connection carries.
    private var streams = initialStreams
    /// The number of requests that all open connections carry together.
    private(set) var total = initialStreams
    /// The number of connections that were opened. Some of them may be closed.
    private var opened = 0
    /// The number of connections that are used before their SETTINGS frames have arrived. If the request that opened one is
    /// cancelled, it is counted until no request is running.
    private var early = 0
    /// Whether an open connection has carried more requests than libcurl sends before the SETTINGS frame.
    private var hasSettings = false

    /// Whether a connection was opened.
    var hasOpened: Bool { opened > 0 }

    /// Forgets the learned numbers, except for the number of connections.
    mutating func reset() {
        let opened = opened
        self = StreamCapacity()
        self.opened = opened
    }

    /// The number of connections that the given number of requests requires.
    func connections(for requests: Int) -> Int {
        let others = max(0, requests - early * Self.initialStreams)
        return min(early, requests) + (others + streams - 1) / streams
    }

    /// Notes that a request shares an open connection although the connections seemed to be full.
    ///
    /// - Parameter running: The number of running requests, with this one.
    mutating func share(running: Int) {
        // Otherwise another request has ended meanwhile, and this one may have taken its stream.
        guard running > total else { return }
        total = running
        hasSettings = true
        let used = max(1, opened)
        streams = min(max(streams, (running + used - 1) / used), Self.maximumStreams)
    }

    /// The reason for which a request has opened a connection.
    enum Opening {
        /// All other connections were full.
        case full
        /// The same, and the connection is already used by other requests.
        case fullAndShared
        /// The request needs its own connection, or it was cancelled.
        case own
        /// The server allows less than was known, or it has closed a connection.
        case unexpected
    }

    /// Notes that a request has opened a connection, and that the server's SETTINGS frame has arrived. `running` is the number
    /// of running requests, with this one.
    mutating func open(_ opening: Opening, running: Int) {
        opened += 1
        switch opening {
        case .full: total += streams
        case .fullAndShared:
            early -= 1
            total += streams - Self.initialStreams
        case .own: break
        case .unexpected:
            guard streams > Self.initialStreams else { return }
            streams = Self.initialStreams
            total = min(total, max(Self.initialStreams, running))
        }
    }

    /// Notes that a request is sent over a new connection, before the server's SETTINGS frame has arrived. Returns whether
    /// other requests may use the connection, because another one has carried this number.
    mutating func openEarly() -> Bool {
        guard hasSettings, streams > Self.initialStreams else { return false }
        total += Self.initialStreams
        early += 1
        return true
    }

    /// Notes that a request has ended. One idle connection may stay open for a while. Servers will have closed any others.
    ///
    /// - Parameter running: The number of requests that are still running.
    mutating func shrink(running: Int) {
        total = min(total, streams * (1 + connections(for: running)))
        guard running == 0 else { return }
        // The last connection may be closed, too. Then the next one carries few requests until its SETTINGS frame arrives.
        total = min(total, Self.initialStreams)
        (early, hasSettings) = (0, false)
    }
}
