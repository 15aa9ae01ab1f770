/// The server's event loop, which waits for sockets, timers and commands and handles those that are ready.
///
/// Created on one thread and used only on the server's thread after that.
final class EventLoop {
    enum Timer {
        /// Ends a pause in the output of a connection.
        case resume(connection: Int)
        /// Checks whether a connection has exceeded its idle time.
        case idle(connection: Int)
        /// Closes a connection if its client has not closed it in time.
        case linger(connection: Int)
        case acceptAgain
    }

    static let wakeToken = -1
    static let listenerToken = 0
    /// The number of unsent response bytes above which further requests of a connection wait.
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

    /// Serves until a stop command arrives. Closes all connections, the listener and the mailbox before it returns.
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
