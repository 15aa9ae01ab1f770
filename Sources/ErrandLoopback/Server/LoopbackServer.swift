public import Foundation

/// A small HTTP/1.1 server on 127.0.0.1: an honest peer, or a faulty one, for tests and development.
///
/// ```swift
/// let server = try LoopbackServer { request in
///     switch (request.method, request.path) {
///     case ("GET", "/photos"): .json(#"[{"id":"1"}]"#)
///     default: .status(404)
///     }
/// }
/// let (data, _) = try await URLSession.shared.data(from: server.url.appending(path: "photos"))
/// await server.stop()
/// ```
///
/// It serves from when it is made until ``stop()`` or until nobody refers to it. Requests that break the rules of
/// HTTP/1.1 or a limit are refused with 400, 413, 417, 431, 501 or 505, and do not reach the handler.
public final class LoopbackServer: Sendable {
    /// Answers one request.
    ///
    /// It is called on the server's only thread and must not block: what takes time belongs into
    /// ``LoopbackReply/later(_:)`` or ``LoopbackReply/stream(type:contentLength:trailers:status:_:)``.
    public typealias Handler = @Sendable (LoopbackRequest) -> LoopbackReply

    /// The port that the server listens on.
    public let port: Int
    /// `http://127.0.0.1:` and the port, without a path.
    public let url: URL

    private let mailbox: Mailbox
    private let ledger: Ledger
    private let ended = Latch()
    private let thread: LoopThread

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - port: The port to listen on; 0 lets the system choose a free one.
    ///   - configuration: Limits, recording and the like.
    ///   - handler: Answers the requests.
    /// - Throws: ``LoopbackError`` with code ``LoopbackError/Code/cannotListen``.
    public init(
        port: Int = 0, configuration: Configuration = .init(), handler: @escaping Handler
    ) throws(LoopbackError) {
        let listener = try Listener(port: port)
        let boundPort = listener.port
        guard let url = URL(string: "http://127.0.0.1:\(boundPort)") else { throw LoopbackError(.cannotListen) }
        let mailbox = try Mailbox()
        let ledger = Ledger(recording: configuration.recordedRequests)
        let loop = EventLoop(
            listener: listener, configuration: configuration, mailbox: mailbox, ledger: ledger, handler: handler)
        thread = try LoopThread(named: "loopback-\(boundPort)") { [ended] in
            loop.run()
            ended.open()
        }
        self.port = boundPort
        self.url = url
        self.mailbox = mailbox
        self.ledger = ledger
    }

    deinit {
        mailbox.post(.stop)
        thread.detach()
    }

    /// What the server has done so far.
    ///
    /// A request counts before its reply is sent; a connection counts as open until the server has closed it.
    public var statistics: Statistics { ledger.statistics }

    /// The present statistics, and then the newest after each change; it ends when the server stops.
    public var statisticsUpdates: AsyncStream<Statistics> { ledger.updates() }

    /// The number of connections accepted since the start.
    public var connectionCount: Int { statistics.acceptedConnections }

    /// The latest requests, oldest first: as many as ``Configuration/recordedRequests`` allows, by default none.
    public var requests: [LoopbackRequest] { ledger.requests }

    /// Stops the server: when it returns, its sockets and its thread are gone.
    ///
    /// Replies in progress are broken off. The tasks of `.later` and `.stream` replies are cancelled but not waited
    /// for. Stopping again does nothing; cancelling the caller does not cut it short.
    public func stop() async {
        mailbox.post(.stop)
        await ended.wait()
        thread.join()
    }
}
