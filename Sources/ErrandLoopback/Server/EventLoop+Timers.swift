/// Handles expired timers. A timer of a closed connection does nothing.
extension EventLoop {
    func fireTimers() {
        guard timers.nextDeadline != nil else { return }
        let now = clock.now
        while let timer = timers.popDue(at: now) {
            switch timer {
            case .resume(let number):
                guard let connection = connections[number] else { continue }
                connection.outbox.resume()
                advance(connection)
            case .idle(let number):
                guard let connection = connections[number] else { continue }
                checkIdle(connection, now: now)
            case .linger(let number):
                guard let connection = connections[number] else { continue }
                drop(connection)
            case .acceptAgain:
                resumeAccepting()
            }
        }
    }

    private func checkIdle(_ connection: Connection, now: ContinuousClock.Instant) {
        guard let idleTime = configuration.limits.idleTimeout else { return }
        if !connection.isReady { connection.lastActivity = now }
        let deadline = connection.lastActivity + idleTime
        guard deadline > now else { return drop(connection) }
        timers.add(.idle(connection: connection.number), at: deadline)
    }
}
