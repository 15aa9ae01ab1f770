/// The server's one thread: waits for sockets, timers and commands, and serves whatever is ready.
///
/// It is made by one thread and handed to another, which alone uses it from then on.
final class EventLoop {
    enum Timer {
        /// A pause in the output of a connection is over.
        case resume(connection: Int)
        /// A connection may have been silent for too long.
        case idle(connection: Int)
        /// A connection has waited long enough for its client to close it.
        case linger(connection: Int)
        case acceptAgain
    }

    static let wakeToken = -1
    static let listenerToken = 0
    /// Further requests of a connection wait while more reply bytes than this have not been sent.
    static let highWaterMark = 1 << 16

    let configuration: LoopbackServer.Configuration
    let handler: LoopbackServer.Handler
    let mailbox: Mailbox
    let ledger: Ledger
    let clock = ContinuousClock()
    let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    var listener: Listener
    var isAccepting = true
    var poller = Poller()
    var timers = TimerQueue<Timer>()
    var connections: [Int: Connection] = [:]
    var connectionsSoFar = 0
    var cachedDate: (second: Int, text: String) = (-1, "")
    private var isStopping = false

    init(
        listener: consuming Listener, configuration: LoopbackServer.Configuration, mailbox: Mailbox, ledger: Ledger,
        handler: @escaping LoopbackServer.Handler
    ) {
        self.listener = listener
        self.configuration = configuration
        self.mailbox = mailbox
        self.ledger = ledger
        self.handler = handler
    }

    deinit {
        readBuffer.deallocate()
    }

    /// Serves until a command says to stop; everything the loop owns is closed when it returns.
    func run() {
        poller.add(mailbox.wakeDescriptor, token: Self.wakeToken, interest: .reading)
        poller.add(listener.descriptor.raw, token: Self.listenerToken, interest: .reading)
        var events: [Poller.Event] = []
        while !isStopping {
            poller.wait(timers.nextDeadline.map { clock.now.duration(to: $0) }, into: &events)
            for event in events { handle(event) }
            fireTimers()
        }
        shutDown()
    }

    private func handle(_ event: Poller.Event) {
        switch event.token {
        case Self.wakeToken:
            for command in mailbox.takeAll() { obey(command) }
        case Self.listenerToken:
            acceptConnections()
        default:
            guard let connection = connections[event.token] else { return }
            serve(connection, event)
        }
    }

    private func serve(_ connection: Connection, _ event: Poller.Event) {
        if event.isWritable { connection.isWritable = true }
        if event.isReadable { receive(on: connection) }
        guard connection.isOpen else { return }
        if event.isBroken, !event.isReadable, !event.isWritable { return drop(connection) }
        advance(connection)
    }

    private func obey(_ command: Mailbox.Command) {
        switch command {
        case .stop:
            isStopping = true
        case .reply(let reply, let number):
            guard let connection = connections[number], case .awaiting = connection.phase else { return }
            connection.task = nil
            begin(reply, on: connection)
            advance(connection)
        case .stream(let number):
            guard let connection = connections[number] else { return }
            advance(connection)
        }
    }

    private func shutDown() {
        for connection in connections.values { drop(connection) }
        listener.close()
        mailbox.close()
        ledger.finish()
    }
}
