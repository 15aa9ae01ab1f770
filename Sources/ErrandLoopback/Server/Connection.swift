/// One connection, owned by the loop's thread.
final class Connection {
    enum Phase {
        /// The next request may be answered.
        case ready
        /// A task makes the reply.
        case awaiting
        case streaming(Stream)
        case stalled
        /// The reply has to be sent before the next request is looked at.
        case flushing
        case finishing(Finish)
        /// Our side is closed; what still comes is read and forgotten, so that it does not cause a reset.
        case lingering
    }

    struct Stream {
        let pipe: StreamPipe
        let isChunked: Bool
        let trailers: [LoopbackField]
        /// How the connection ends after the whole body; `nil` when it goes on.
        let following: Finish?
        /// How the client is told that the body is not whole.
        let failing: Finish
    }

    enum Finish {
        /// Closes our side first, and waits for the client to close its own.
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

    /// Whether the reply is still being made, so that a client that goes away calls it off.
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
