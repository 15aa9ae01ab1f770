public import Foundation

/// A small HTTP/1.1 server on 127.0.0.1 for tests and development, which can respond correctly or inject faults.
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
/// The server runs from its initialization until ``stop()`` or until its last reference is released. Requests that
/// violate HTTP/1.1 or exceed a limit are refused with 400, 413, 417, 431, 501 or 505. They do not reach the handler.
public final class LoopbackServer: Sendable {
    /// Returns the response to a request.
    ///
    /// The handler is called on the server's only thread and must not block. Use ``LoopbackReply/later(_:)`` or
    /// ``LoopbackReply/stream(type:contentLength:trailers:status:_:)`` for asynchronous work.
    public typealias Handler = @Sendable (LoopbackRequest) -> LoopbackReply

    /// The port that the server listens on.
    public let port: Int
    /// The base URL of the server: `http://127.0.0.1:` and the port, without a path.
    public let url: URL

    private let mailbox: Mailbox
    private let ledger: Ledger
    private let ended = Latch()
    private let thread: LoopThread

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - port: The port to listen on. If 0, the system chooses a free port.
    ///   - configuration: Limits, recording and header options.
    ///   - handler: Returns the response to a request.
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

    /// The current counters of the server.
    ///
    /// A request is counted before its response is sent. A connection counts as open until the server has closed it.
    public var statistics: Statistics { ledger.statistics }

    /// The current statistics, then the newest after each change. The stream ends when the server stops.
    public var statisticsUpdates: AsyncStream<Statistics> { ledger.updates() }

    /// The number of connections accepted since the start.
    public var connectionCount: Int { statistics.acceptedConnections }

    /// The recent requests, oldest first, limited by ``Configuration/recordedRequests``. Empty by default.
    public var requests: [LoopbackRequest] { ledger.requests }

    /// Stops the server. When it returns, all sockets are closed and the thread has ended.
    ///
    /// Responses in progress are aborted. The tasks of `.later` and `.stream` replies are cancelled, but the method
    /// does not wait for them. Further calls have no effect. Cancellation of the caller does not shorten the wait.
    public func stop() async {
        mailbox.post(.stop)
        await ended.wait()
        thread.join()
    }
}
