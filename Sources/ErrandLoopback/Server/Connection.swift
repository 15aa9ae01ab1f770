/// One connection, used only on the event loop's thread.
final class Connection {
    enum Phase {
        /// The next request may be processed.
        case ready
        /// A task creates the reply.
        case awaiting
        case streaming(Stream)
        case stalled
        /// The response must be sent before the next request is processed.
        case flushing
        case finishing(Finish)
        /// The server has closed its side. It discards further input, because unread input would cause a reset.
        case lingering
    }

    struct Stream {
        let pipe: StreamPipe
        let isChunked: Bool
        let trailers: [LoopbackHeader]
        /// How the connection ends after the complete body. If `nil`, it stays open.
        let following: Finish?
        /// How the connection ends after a partial body, so that the client detects the failure.
        let failing: Finish
    }

    enum Finish {
        /// Closes the server's side first, and waits for the client to close its side.
        case orderly
        case fault(LoopbackReply.Ending)

        var ifFault: Finish? {
            if case .fault = self { self } else { nil }
        }
    }

    let number: Int
    var socket: Descriptor
    var parser: RequestParser
    var outbox = Outbox()
    var phase = Phase.ready
    var context = ReplyContext()
    var requestCount = 0
    var task: Task<Void, Never>?
    var interest: Poller.Interest = .reading
    var isOpen = true
    var isWritable = true
    var inputEnded = false
    var lastActivity: ContinuousClock.Instant

    init(number: Int, socket: consuming Descriptor, parser: RequestParser, now: ContinuousClock.Instant) {
        self.number = number
        self.socket = socket
        self.parser = parser
        lastActivity = now
    }

    var isReady: Bool {
        if case .ready = phase { true } else { false }
    }

    var isLingering: Bool {
        if case .lingering = phase { true } else { false }
    }

    /// Whether the reply is still being produced. If the client disconnects in this state, the reply is cancelled.
    var isPending: Bool {
        switch phase {
        case .awaiting, .streaming, .stalled: true
        case .ready, .flushing, .finishing, .lingering: false
        }
    }

    func abandonReply() {
        if case .streaming(let stream) = phase { stream.pipe.close() }
        task?.cancel()
        task = nil
    }

    func close() {
        isOpen = false
        abandonReply()
        socket.close()
    }
}
