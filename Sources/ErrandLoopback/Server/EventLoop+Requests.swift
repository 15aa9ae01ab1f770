import ErrandSupport
import Foundation

/// Receives and parses requests and starts their responses.
extension EventLoop {
    /// Reads available bytes once. The remaining bytes wait until the other connections have been served.
    func receive(on connection: Connection) {
        let result = connection.socket.receive(into: readBuffer)
        switch result {
        case .bytes(let count):
            if !connection.isLingering {
                connection.parser.append(UnsafeRawBufferPointer(rebasing: readBuffer[..<count]))
            }
            if configuration.limits.idleTimeout != nil { connection.lastActivity = clock.now }
        case .end:
            connection.inputEnded = true
            if connection.isPending || connection.isLingering { drop(connection) }
        case .wouldBlock:
            break
        case .failed:
            drop(connection)
        }
    }

    /// Processes requests and sends responses until the connection has to wait.
    func advance(_ connection: Connection) {
        var isStarved = false
        repeat {
            isStarved = respondToRequests(of: connection)
            flush(connection)
        } while connection.isOpen && connection.isReady && !isStarved && !isFull(connection)
        guard connection.isOpen else { return }
        if connection.inputEnded, connection.isReady, isStarved {
            guard !connection.outbox.isEmpty else { return drop(connection) }
            connection.phase = .finishing(.orderly)
        }
        watch(connection)
    }

    private func isFull(_ connection: Connection) -> Bool {
        connection.outbox.byteCount >= Self.highWaterMark
    }

    /// Responds to the parsed requests. Returns whether it stopped because the parser needs more bytes.
    private func respondToRequests(of connection: Connection) -> Bool {
        while connection.isReady, !isFull(connection) {
            switch connection.parser.next() {
            case .needsMoreBytes:
                return true
            case .expectsContinue:
                connection.outbox.append(ReplyPlan(interim: .init(status: 100, headers: [])).head)
            case .request(let message):
                respond(to: message, on: connection)
            case .rejected(let rejection):
                connection.context = ReplyContext()
                begin(.text("", status: rejection.status).closingConnection(), on: connection)
            }
        }
        return false
    }

    private func respond(to message: RequestMessage, on connection: Connection) {
        connection.requestCount += 1
        let request = LoopbackRequest(
            message, connectionNumber: connection.number, requestNumber: connection.requestCount)
        connection.context = ReplyContext(message.head, date: configuration.sendsDate ? date() : nil)
        ledger.received(request)
        begin(handler(request), on: connection)
    }

    private func date() -> String {
        let second = Int(Date().timeIntervalSince1970)
        if cachedDate.second != second {
            cachedDate = (second, HTTPDate.text(secondsSince1970: second))
        }
        return cachedDate.text
    }
}
