/// The number of requests that the multiplexed connections to an origin carry, as far as it is known.
///
/// The server decides how many requests share a connection. libcurl knows the limits but does not tell. They are therefore
/// learned from the requests that start although all connections seem to be full: each of them either shares a connection,
/// which then carries one more than was known, or opens another one.
struct StreamCapacity: Sendable {
    /// The number of requests on a connection before more is known: 100, the minimum that RFC 9113, section 6.5.2,
    /// recommends for servers. libcurl assumes the same number until it has received the server's SETTINGS frame.
    static let initialStreams = 100
    /// The maximum number of requests on a connection, if the server allows as many. More would fail together if the
    /// connection is lost.
    static let maximumStreams = 256

    /// The number of requests that each connection carries.
    private var streams = initialStreams
    /// The number of requests that all open connections carry together.
    private(set) var total = initialStreams
    /// The number of connections that were opened. Some of them may be closed.
    private var opened = 0

    /// The number of connections that the given number of requests requires.
    func connections(for requests: Int) -> Int { (requests + streams - 1) / streams }

    /// Notes that a request shares an open connection although the connections seemed to be full.
    ///
    /// - Parameter running: The number of running requests, with this one.
    mutating func share(running: Int) {
        // Otherwise another request has ended meanwhile, and this one may have taken its stream.
        guard running > total else { return }
        total = running
        let used = max(1, opened)
        streams = min(max(streams, (running + used - 1) / used), Self.maximumStreams)
    }

    /// Notes that a request has opened a connection.
    ///
    /// - Parameters:
    ///   - isExpected: Whether the request needed a connection. If not, the server allows less than was known, or it has
    ///     closed a connection.
    ///   - addsRoom: Whether all other connections are full.
    ///   - running: The number of running requests, with this one.
    mutating func open(isExpected: Bool, addsRoom: Bool, running: Int) {
        opened += 1
        if addsRoom { total += streams }
        guard !isExpected, streams > Self.initialStreams else { return }
        streams = Self.initialStreams
        total = min(total, max(Self.initialStreams, running))
    }

    /// Notes that a request has ended. One idle connection may stay open for a while. Servers will have closed any others.
    ///
    /// - Parameter running: The number of requests that are still running.
    mutating func shrink(running: Int) {
        // The last connection may be closed, too. Then the next one carries few requests until its SETTINGS frame arrives.
        total = min(total, running == 0 ? Self.initialStreams : streams * (1 + connections(for: running)))
    }
}
