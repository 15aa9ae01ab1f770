/// Opens and closes connections.
extension EventLoop {
    func acceptConnections() {
        while isAccepting {
            guard connections.count < configuration.limits.openConnections else { return pauseAccepting() }
            switch listener.accept() {
            case .connection(let socket):
                open(socket)
            case .none:
                return
            case .exhausted:
                pauseAccepting()
                timers.add(.acceptAgain, at: clock.now + .milliseconds(50))
            }
        }
    }

    func resumeAccepting() {
        guard !isAccepting, connections.count < configuration.limits.openConnections else { return }
        isAccepting = true
        poller.add(listener.descriptor.raw, token: Self.listenerToken, interest: .reading)
    }

    /// Closes a connection at once, in any phase.
    func drop(_ connection: Connection) {
        guard connections.removeValue(forKey: connection.number) != nil else { return }
        poller.remove(connection.number)
        connection.close()
        ledger.closed()
        resumeAccepting()
    }

    /// Closes the server's side. The client has one second to close its side.
    func linger(_ connection: Connection) {
        guard !connection.inputEnded else { return drop(connection) }
        connection.socket.finishSending()
        connection.phase = .lingering
        timers.add(.linger(connection: connection.number), at: clock.now + .seconds(1))
    }

    /// Updates the poller's interest to the events that the connection can use now.
    func watch(_ connection: Connection) {
        var interest: Poller.Interest = []
        let isFull = connection.parser.bufferedByteCount >= Self.highWaterMark
        if !connection.inputEnded, connection.isReady || connection.isLingering || !isFull { interest = .reading }
        if !connection.isWritable { interest.insert(.writing) }
        guard interest != connection.interest else { return }
        connection.interest = interest
        poller.change(connection.number, to: interest)
    }

    private func pauseAccepting() {
        isAccepting = false
        poller.remove(Self.listenerToken)
    }

    private func open(_ socket: consuming Descriptor) {
        connectionsSoFar += 1
        if let size = configuration.sendBufferBytes { socket.limitSendBuffer(to: size) }
        let raw = socket.raw
        let limits = configuration.limits
        let parser = RequestParser(
            headerLimit: limits.headerBytes, bodyLimit: limits.bodyBytes, keepsBodies: configuration.bodyPolicy.collects
        )
        let connection = Connection(number: connectionsSoFar, socket: socket, parser: parser, now: clock.now)
        connections[connection.number] = connection
        poller.add(raw, token: connection.number, interest: connection.interest)
        ledger.accepted()
        if let idleTime = configuration.limits.idleTimeout {
            timers.add(.idle(connection: connection.number), at: connection.lastActivity + idleTime)
        }
    }
}
