/// Moves bytes from the outbox to the socket.
extension EventLoop {
    /// Sends the bytes that may be sent now. When the outbox is empty, moves the connection to its next phase.
    func flush(_ connection: Connection) {
        while connection.isOpen {
            switch connection.outbox.next() {
            case .bytes(let count):
                guard connection.isWritable, send(count, on: connection) else { return }
            case .wait(let duration):
                return timers.add(.resume(connection: connection.number), at: clock.now + duration)
            case .waiting:
                return
            case .empty:
                guard settle(connection) else { return }
            }
        }
    }

    /// Sends bytes. Returns whether the socket may accept more.
    private func send(_ count: Int, on connection: Connection) -> Bool {
        let result = connection.outbox.withUnsafeBytes { bytes in
            connection.socket.send(UnsafeRawBufferPointer(rebasing: bytes[..<min(count, bytes.count)]))
        }
        switch result {
        case .bytes(let sent):
            connection.outbox.drop(sent)
            return true
        case .wouldBlock:
            connection.isWritable = false
            return false
        case .end, .failed:
            drop(connection)
            return false
        }
    }

    /// Handles an outbox that has become empty. Returns whether the outbox has new bytes.
    private func settle(_ connection: Connection) -> Bool {
        switch connection.phase {
        case .ready, .awaiting, .stalled, .lingering:
            return false
        case .streaming(let stream):
            return pull(stream, on: connection)
        case .flushing:
            connection.phase = .ready
            connection.outbox.setPace(nil)
            return false
        case .finishing(.orderly):
            linger(connection)
            return false
        case .finishing(.fault(let ending)):
            if ending == .reset { connection.socket.resetOnClose() }
            drop(connection)
            return false
        }
    }

    /// Moves the bytes that the stream's task has written to the outbox. Ends the response when the task has ended.
    private func pull(_ stream: Connection.Stream, on connection: Connection) -> Bool {
        let (chunks, ending) = stream.pipe.take()
        for chunk in chunks { connection.outbox.append(chunk, chunked: stream.isChunked) }
        if ending == .finished, stream.isChunked {
            connection.outbox.append([UInt8].lastChunk(trailers: stream.trailers))
        }
        if ending == .none, !connection.outbox.isCutOff { return !chunks.isEmpty }
        connection.abandonReply()
        let finish = ending == .failed ? stream.failing : stream.following
        connection.phase = finish.map { .finishing($0) } ?? .flushing
        return true
    }
}
