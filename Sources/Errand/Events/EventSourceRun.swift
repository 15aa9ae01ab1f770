/// Performs the actions of an ``EventSourceMachine`` for one iteration of an event source.
struct EventSourceRun<Element: Sendable> {
    private let connector: EventConnector
    private let options: EventOptions
    private let control: EventControl
    private let reading: EventReading<Element>
    private var machine: EventSourceMachine
    private var action = EventSourceMachine.Action.connect
    /// The number of restarts that have been performed.
    private var restarts: Int
    /// The first request. Its deadline and its trail apply to all connections.
    private var first: APIRequest?
    private var connection: EventConnection<Element>?
    private var lastEventID: String
    /// The elements that were received, but not yet delivered.
    private var ready: ArraySlice<Element> = []
    /// The end of the source, after the elements that are ready.
    private var end: Result<Void, ServiceError>?
    private var log = EventLog()

    init(_ source: EventSource<Element>) {
        (connector, options, control) = (source.connector, source.options, source.control)
        (reading, restarts, lastEventID) = (source.reading, control.restarts, options.lastEventID)
        machine = EventSourceMachine(options, requiresLastEvent: reading.requiresLastEvent)
    }

    /// Returns the next elements, or none at the end.
    mutating func next() async throws(ServiceError) -> ArraySlice<Element> {
        do throws(ServiceError) {
            while true {
                if !ready.isEmpty {
                    defer { ready = [] }
                    return ready
                }
                if let end = end.take() {
                    try end.get()
                    action = .finish
                }
                switch action {
                case .connect: action = try await connect()
                case .receive: action = try await receive()
                case .wait(let duration): action = try await wait(duration)
                case .finish: return []
                }
            }
        } catch {
            (action, connection) = (.finish, nil)
            throw first.map(error.adding) ?? error
        }
    }

    private mutating func connect() async throws(ServiceError) -> EventSourceMachine.Action {
        let request = try await connector.request(after: first, lastEventID: lastEventID, options)
        if first == nil {
            first = request
            control.setRecorder(request.options.trail)
        }
        machine.connect(isRepeatable: request.isRetryable)
        log.connect(at: request.options.time.now)
        do throws(ServiceError) {
            let (connector, options) = (connector, options)
            let loaded = try await control.interruptible(since: restarts) { try await connector.send(request, options) }
            guard let loaded else { return restart() }
            let next = try respond(to: loaded, at: request.options.time.date)
            guard next == .receive else {
                note("ended by the server")
                return next
            }
            log.open(loaded.head, at: request.options.time.now)
            let parser = EventParser(
                lastEventID: lastEventID, limit: options.eventLimit, includesEmpty: reading.includesEmpty)
            connection = EventConnection(loaded, parser, reading)
            try emit(.opened(loaded.head))
            return next
        } catch {
            return try disconnect(error, as: .failedRequest)
        }
    }

    /// Checks a response. If it is not an event stream, the error has its body if that is in memory.
    private mutating func respond(
        to loaded: Loaded<ResponseBody>, at date: Date
    ) throws(ServiceError) -> EventSourceMachine.Action {
        do throws(ServiceError) {
            return try machine.respond(to: loaded.head, at: date)
        } catch {
            var failure = error
            failure.body = failure.body ?? loaded.value.data?.prefix(ServiceError.bodyLimit)
            throw failure
        }
    }

    private mutating func receive() async throws(ServiceError) -> EventSourceMachine.Action {
        guard let connection else { return .connect }
        let deadline = first?.options.deadline
        let batch: EventConnection<Element>.Batch?
        do throws(ServiceError) {
            let received = try await control.interruptible(since: restarts) {
                try await race(deadline) { try await connection.next() }
            }
            guard let received else { return restart() }
            batch = received
        } catch {
            return try disconnect(error, as: .endedStream)
        }
        guard let batch else { return try disconnect(nil, as: .endedStream) }
        take(batch)
        return .receive
    }

    private mutating func take(_ batch: EventConnection<Element>.Batch) {
        (lastEventID, ready, end) = (batch.lastEventID, batch.elements[...], batch.end)
        if let retry = batch.retry { machine.setRetry(retry) }
        if batch.eventCount > 0 { machine.receiveEvent() }
        log.eventCount += batch.eventCount
        guard let end = batch.end else { return }
        connection = nil
        switch end {
        case .success: note("received the last event")
        case .failure(let error): note(error.code.rawValue)
        }
    }

    private mutating func wait(_ duration: Duration) async throws(ServiceError) -> EventSourceMachine.Action {
        guard let time = first?.options.time else { return .connect }
        let finished: Void? = try await control.interruptible(since: restarts) {
            try await time.sleep(until: time.now + duration)
        }
        return finished == nil ? restart() : .connect
    }
}

extension EventSourceRun {
    private enum Ending {
        case failedRequest, endedStream
    }

    /// Ends a connection. `failure` is `nil` if the server ended it.
    private mutating func disconnect(
        _ failure: ServiceError?, as ending: Ending
    ) throws(ServiceError) -> EventSourceMachine.Action {
        connection = nil
        let next: EventSourceMachine.Action
        do throws(ServiceError) {
            if ending == .failedRequest, let failure {
                next = try machine.requestFailed(failure, moment)
            } else {
                next = try machine.streamEnded(failure, moment)
            }
        } catch {
            note(error.code.rawValue)
            throw error
        }
        let cause = failure?.code.rawValue ?? "ended by the server"
        guard case .wait(let wait) = next else {
            note(cause)
            return next
        }
        note("\(cause); reconnect in \(wait.milliseconds) ms")
        try emit(.disconnected(failure, reconnectsAfter: wait))
        return next
    }

    /// Connects again because the caller requested it.
    private mutating func restart() -> EventSourceMachine.Action {
        (restarts, connection) = (control.restarts, nil)
        note("restarted")
        return machine.restart()
    }

    private var moment: EventSourceMachine.Moment {
        guard let options = first?.options else { return EventSourceMachine.Moment() }
        return EventSourceMachine.Moment(
            elapsed: log.elapsed(at: options.time.now), draw: options.random.fraction(),
            remaining: options.deadline?.remaining)
    }

    private mutating func emit(_ activity: EventActivity) throws(ServiceError) {
        if case .element(let element) = try reading.step(activity, nil) { ready.append(element) }
    }

    private func note(_ ending: String) {
        guard let options = first?.options else { return }
        options.trail?.note(log.note(ending, at: options.time.now), from: .events)
    }
}

/// The facts about the present connection that the trail shows.
private struct EventLog {
    var eventCount = 0
    private var number = 0
    private var status: Int?
    private var start = Duration.zero

    mutating func connect(at now: Duration) {
        (number, eventCount, status, start) = (number + 1, 0, nil, now)
    }

    mutating func open(_ head: ResponseHead, at now: Duration) {
        (status, start) = (head.status, now)
    }

    func elapsed(at now: Duration) -> Duration { now - start }

    func note(_ ending: String, at now: Duration) -> String {
        let events = status.map { "status \($0), \(eventCount) events in \(elapsed(at: now).milliseconds) ms; " } ?? ""
        return "connection \(number): \(events)\(ending)"
    }
}
