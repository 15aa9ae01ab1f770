import ErrandSupport
import Foundation

/// From bytes to requests to replies.
extension EventLoop {
    /// Reads what has arrived, once: other connections have their turn before the rest.
    func receive(on connection: Connection) {
        let result = connection.socket.receive(into: readBuffer)
        switch result {
        case .bytes(let count):
            if !connection.isLingering {
                connection.parser.append(UnsafeRawBufferPointer(rebasing: readBuffer[..<count]))
            }
            if configuration.limits.idleTime != nil { connection.lastActivity = clock.now }
        case .end:
            connection.inputEnded = true
            if connection.isPending || connection.isLingering { drop(connection) }
        case .wouldBlock:
            break
        case .failed:
            drop(connection)
        }
    }

    /// Goes as far as the connection can go now.
    func advance(_ connection: Connection) {
        var isStarved = false
        repeat {
            isStarved = answerRequests(of: connection)
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

    /// Answers the requests that are there, and says whether it ended for want of bytes.
    private func answerRequests(of connection: Connection) -> Bool {
        while connection.isReady, !isFull(connection) {
            switch connection.parser.next() {
            case .needsMoreBytes:
                return true
            case .expectsContinue:
                connection.outbox.append(ReplyPlan(interim: .init(status: 100, fields: [])).head)
            case .request(let message):
                answer(message, on: connection)
            case .rejected(let rejection):
                connection.context = ReplyContext()
                begin(.text("", status: rejection.status).closingConnection(), on: connection)
            }
        }
        return false
    }

    private func answer(_ message: RequestMessage, on connection: Connection) {
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
