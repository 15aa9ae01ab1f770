import Errand
import ErrandJSON
import ErrandSupport

/// The state that the subscriptions of an event stream share.
final class EventStreamHub: Sendable {
    private struct Subscriber {
        let mailbox: SubscriptionMailbox
        let skips: SkipCounter
        /// The number of the connection over which the operation was sent.
        var connection: Int?
    }

    private struct State {
        var subscribers: [String: Subscriber] = [:]
        var lastID = 0
        /// The open stream.
        var ticket: EventStreamTicket?
        /// The task that opens and reads the stream, or `nil` without a subscription.
        var task: Task<Void, Never>?
        /// The number of the task.
        var run = 0
        var lastConnection = 0

        /// Ends the use of the task, which the caller cancels.
        mutating func takeTask() -> Task<Void, Never>? {
            (ticket, run) = (nil, run + 1)
            return task.take()
        }
    }

    let requests: EventStreamRequests
    private let bufferLimit: Int
    private let state = Locked(State())

    init(_ requests: EventStreamRequests, bufferLimit: Int) {
        (self.requests, self.bufferLimit) = (requests, bufferLimit)
    }

    /// Adds a subscription. The first one opens the stream.
    func subscribe(_ skips: SkipCounter) -> EventStreamLease {
        let mailbox = SubscriptionMailbox(limit: bufferLimit, byteLimit: requests.options.eventLimit)
        let (id, ticket) = state.withLock { state in
            state.lastID += 1
            let id = "\(state.lastID)"
            state.subscribers[id] = Subscriber(mailbox: mailbox, skips: skips)
            if state.task == nil { start(&state) }
            return (id, state.ticket)
        }
        if let ticket { _ = mailbox.put(.opened(ticket)) }
        return EventStreamLease(hub: self, id: id, mailbox: mailbox)
    }

    /// Starts the task that opens and reads a stream. If it replaces a stream that failed, it waits first.
    private func start(_ state: inout State, after failure: ServiceError? = nil) {
        state.run += 1
        let run = EventStreamRun(hub: self, number: state.run)
        // Unstructured, because the stream serves several subscriptions and may outlive the first one.
        state.task = Task { await run.run(after: failure) }
    }

    /// Replaces a stream that the service does not know, if that was not done.
    func replace(_ ticket: EventStreamTicket) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard state.ticket?.number == ticket.number else { return nil }
            let task = state.takeTask()
            let failure = ServiceError(
                .connectionLost, "expected the service to know the event stream, found status 404 for an operation")
            start(&state, after: failure)
            return task
        }
        task?.cancel()
    }

    /// Notes that an operation is sent over a connection. Returns `false` if the connection is not open.
    func begin(_ id: String, _ ticket: EventStreamTicket) -> Bool {
        state.withLock { state in
            guard state.ticket?.number == ticket.number, state.subscribers[id] != nil else { return false }
            state.subscribers[id]?.connection = ticket.number
            return true
        }
    }

    /// Notes that the service did not start an operation.
    func withdraw(_ id: String) {
        state.withLock { $0.subscribers[id]?.connection = nil }
    }

    func isOpen(_ ticket: EventStreamTicket) -> Bool { state.withLock { $0.ticket?.number == ticket.number } }

    /// Removes a subscription, and ends its operation at the service. The last one closes the stream.
    func unsubscribe(_ id: String) {
        let (ticket, task) = state.withLock { state -> (EventStreamTicket?, Task<Void, Never>?) in
            guard let subscriber = state.subscribers.removeValue(forKey: id) else { return (nil, nil) }
            let ticket = state.ticket.flatMap { subscriber.connection == $0.number ? $0 : nil }
            return (ticket, state.subscribers.isEmpty ? state.takeTask() : nil)
        }
        guard let ticket else {
            task?.cancel()
            return
        }
        // Unstructured, because the loop of the subscription has ended, and its task may be cancelled.
        Task { [requests] in
            await requests.stop(id, ticket.token)
            task?.cancel()
        }
    }
}

extension EventStreamHub {
    /// Notes that the stream of a task was opened, and lets the subscriptions send their operations.
    func open(_ token: Secret, _ head: ResponseHead, run: Int) {
        let (ticket, subscribers) = state.withLock { state -> (EventStreamTicket?, [String: Subscriber]) in
            guard state.run == run else { return (nil, [:]) }
            state.lastConnection += 1
            state.ticket = EventStreamTicket(number: state.lastConnection, token: token, head: head)
            return (state.ticket, state.subscribers)
        }
        guard let ticket else { return }
        for (id, subscriber) in subscribers where !subscriber.mailbox.put(.opened(ticket)) {
            subscriber.mailbox.finish(.failure(overflow))
            unsubscribe(id)
        }
    }

    /// Whether a task still has to read the stream. After its last subscription has ended, it is about to be cancelled.
    func isCurrent(_ run: Int) -> Bool { state.withLock { $0.run == run } }

    /// Notes that the stream of a task was closed.
    func close(run: Int) {
        state.withLock { if $0.run == run { $0.ticket = nil } }
    }

    /// Ends all subscriptions.
    func fail(_ error: ServiceError, run: Int) {
        let subscribers = state.withLock { state -> [String: Subscriber] in
            guard state.run == run else { return [:] }
            _ = state.takeTask()
            defer { state.subscribers = [:] }
            return state.subscribers
        }
        for subscriber in subscribers.values { subscriber.mailbox.finish(.failure(error)) }
    }

    /// Delivers an event to its subscription. Events for subscriptions that have ended are ignored.
    func deliver(_ event: ServerSentEvent, run: Int) throws(ServiceError) {
        guard event.type == "next" || event.type == "complete" else { return }
        let (ticket, isEmpty) = state.withLock { ($0.run == run ? $0.ticket : nil, $0.subscribers.isEmpty) }
        guard let ticket, !isEmpty else { return }
        guard let message = try parse(event, ticket.head) else { return }
        guard event.type == "next" else { return complete(message.id, run: run) }
        let mailbox = state.withLock { state in
            state.run == run ? state.subscribers[message.id]?.mailbox : nil
        }
        guard let mailbox, !mailbox.put(.update(ticket, message.payload)) else { return }
        mailbox.finish(.failure(overflow))
        unsubscribe(message.id)
    }

    /// Parses an event. If it has no valid ID and is skipped, returns `nil`. It may be that of any subscription.
    private func parse(_ event: ServerSentEvent, _ head: ResponseHead) throws(ServiceError) -> EventStreamMessage? {
        do throws(ServiceError) {
            return try EventStreamMessage(event, head)
        } catch {
            guard requests.options.skipsUndecodable, error.code == .decoding else { throw error }
            for subscriber in state.withLock({ $0.subscribers }).values { subscriber.skips.add() }
            return nil
        }
    }

    private func complete(_ id: String, run: Int) {
        let (mailbox, task) = state.withLock { state -> (SubscriptionMailbox?, Task<Void, Never>?) in
            guard state.run == run, let subscriber = state.subscribers.removeValue(forKey: id) else {
                return (nil, nil)
            }
            return (subscriber.mailbox, state.subscribers.isEmpty ? state.takeTask() : nil)
        }
        mailbox?.finish(.success(()))
        task?.cancel()
    }

    private var overflow: ServiceError {
        ServiceError(
            .bodyTooLarge,
            "expected a loop that reads the updates, found \(bufferLimit) unread ones or too many bytes: "
                + "read faster, or set a larger bufferLimit")
    }
}

/// A subscription. Releasing it ends the subscription.
final class EventStreamLease: Sendable {
    let id: String
    let mailbox: SubscriptionMailbox
    private let hub: EventStreamHub

    fileprivate init(hub: EventStreamHub, id: String, mailbox: SubscriptionMailbox) {
        (self.hub, self.id, self.mailbox) = (hub, id, mailbox)
    }

    deinit {
        hub.unsubscribe(id)
    }

    /// Notes that the operation is sent. Returns `false` if the stream was lost.
    func begin(_ ticket: EventStreamTicket) -> Bool { hub.begin(id, ticket) }

    /// Notes that the service did not start the operation.
    func withdraw() { hub.withdraw(id) }

    /// Whether a stream is open, and the service has not started the operation over it.
    func needsOperation(_ ticket: EventStreamTicket) -> Bool {
        hub.isOpen(ticket) && !mailbox.hasStarted(over: ticket)
    }

    /// Notes that the service does not know a stream.
    func replace(_ ticket: EventStreamTicket) { hub.replace(ticket) }
}

/// Counts the events that a subscription has skipped.
final class SkipCounter: Sendable {
    private let state = Locked(0)

    var count: Int { state.withLock { $0 } }

    func add() {
        state.withLock { $0 += 1 }
    }
}

/// The data of an event (section Event stream).
struct EventStreamMessage {
    private struct Envelope: Decodable { let id: String }

    let id: String
    /// The text of the response of a `next` event.
    let payload: Data

    init(_ event: ServerSentEvent, _ head: ResponseHead) throws(ServiceError) {
        let data = Data(event.data.utf8)
        do {
            id = try FastJSONDecoder().decode(Envelope.self, from: data).id
        } catch {
            var failure = JSONDecoder().failure(error, decoding: Envelope.self, from: data)
            failure.reason = "the event \(event.type) has no valid data: \(failure.reason)"
            (failure.response, failure.body) = (head, data.prefix(ServiceError.bodyLimit))
            throw failure
        }
        // Without a payload, the text is not a GraphQL response, which is the error of the update.
        payload = RawJSON.members(of: data)?.last { $0.name.utf8.elementsEqual("payload".utf8) }?.value ?? Data()
    }
}
