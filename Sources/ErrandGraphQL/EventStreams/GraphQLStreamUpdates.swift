public import Errand

/// The updates of a subscription that shares an event stream. Create it with ``GraphQLEventStream``.
///
/// Each iteration is a subscription. It ends when its loop is left or its task is cancelled.
public struct GraphQLStreamUpdates<Element: Sendable>: AsyncSequence, Sendable {
    /// The type of the errors.
    public typealias Failure = ServiceError

    let hub: EventStreamHub
    /// Checks the operation before the stream is opened.
    let check: @Sendable () throws(ServiceError) -> Void
    /// Sends the operation with an ID.
    let send: @Sendable (EventStreamTicket, String) async throws(ServiceError) -> Void
    /// Converts the payload of an event.
    let update: @Sendable (EventStreamTicket, Data) throws -> Element
    private let skips = SkipCounter()

    /// The number of events that ``/Errand/EventOptions/skipsUndecodable`` has skipped, in all iterations.
    public var skippedCount: Int { skips.count }

    /// Creates an iterator. It subscribes when the first update is requested.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(updates: self) }

    /// An iterator over the updates of a subscription.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The codes of errors after which the service does not execute the operation.
        private static var refusals: Set<ServiceError.Code> { [.encoding, .status, .graphQL] }

        /// The maximum number of consecutive times that the service does not know the stream: 5.
        private static var unknownLimit: Int { 2 }

        private let updates: GraphQLStreamUpdates
        private var machine: EventSourceMachine
        private var lease: EventStreamLease?
        private var unknownCount = 0
        private var isAtEnd = false

        fileprivate init(updates: GraphQLStreamUpdates) {
            self.updates = updates
            machine = EventSourceMachine(updates.hub.requests.options)
            machine.connect(isRepeatable: true)
        }

        /// Returns the next update, or `nil` after the event `complete`.
        ///
        /// - Throws: ``/Errand/ServiceError``, once. The code is ``/Errand/ServiceError/Code/cancelled`` if the task was
        ///   cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ServiceError) -> Element? {
            do throws(ServiceError) {
                while !isAtEnd {
                    let current = try subscribed()
                    guard let message = try await current.mailbox.next() else {
                        (lease, isAtEnd) = (nil, true)
                        return nil
                    }
                    switch message {
                    case .opened(let ticket): try await start(ticket, current)
                    case .update(let ticket, let body):
                        machine.receiveEvent()
                        unknownCount = 0
                        if let element = try await updates.element(ticket, body) { return element }
                    }
                }
                return nil
            } catch {
                (lease, isAtEnd) = (nil, true)
                throw error
            }
        }

        /// Returns the next update. Runs outside the caller's isolation.
        public mutating func next() async throws(ServiceError) -> Element? { try await next(isolation: nil) }

        /// Returns the subscription. Adds it if that was not done, which opens the stream for the first one.
        private mutating func subscribed() throws(ServiceError) -> EventStreamLease {
            if let lease { return lease }
            try updates.check()
            let new = updates.hub.subscribe(updates.skips)
            lease = new
            return new
        }

        /// Sends the operation over an open stream. If the connection fails, waits and subscribes again.
        private mutating func start(
            _ ticket: EventStreamTicket, _ current: EventStreamLease
        ) async throws(ServiceError) {
            guard current.begin(ticket) else { return }
            do throws(ServiceError) {
                try await updates.send(ticket, current.id)
            } catch {
                // If the stream was lost, too, a ticket of the next one follows.
                guard error.code == .cancelled || current.needsOperation(ticket) else { return }
                let isRefused = Self.refusals.contains(error.code)
                // With GraphQL errors, the service knows the stream and refuses the operation.
                if error.code == .status, error.status == 404, error.graphQLErrors.isEmpty {
                    current.withdraw()
                    return try replace(ticket, of: current, after: error)
                }
                do throws(ServiceError) {
                    let requests = updates.hub.requests
                    if case .wait(let wait) = try machine.requestFailed(error, requests.moment()) {
                        try await requests.sleep(for: wait)
                    }
                } catch {
                    if isRefused { current.withdraw() }
                    throw error
                }
                // An update can have arrived in the meantime. Otherwise, the service may have accepted the operation, so
                // the next attempt has another ID.
                guard current.needsOperation(ticket) else { return }
                if isRefused { current.withdraw() }
                lease = nil
            }
        }

        /// Replaces a stream that the service does not know. It has lost the stream before the client, for all
        /// subscriptions. The ticket of the next stream follows.
        private mutating func replace(
            _ ticket: EventStreamTicket, of current: EventStreamLease, after error: ServiceError
        ) throws(ServiceError) {
            guard unknownCount < Self.unknownLimit else { throw error }
            unknownCount += 1
            current.replace(ticket)
            guard updates.hub.requests.options.reconnects else { throw error }
        }
    }

    /// Converts an update off the caller's actor. Returns `nil` if it is skipped.
    @concurrent
    private func element(_ ticket: EventStreamTicket, _ body: Data) async throws(ServiceError) -> Element? {
        do {
            return try update(ticket, body)
        } catch {
            var failure = ServiceError(wrapping: error, as: .decoding, "the event could not be converted")
            if failure.code == .decoding, hub.requests.options.skipsUndecodable {
                skips.add()
                return nil
            }
            failure.response = failure.response ?? ticket.head
            failure.body = failure.body ?? body.prefix(ServiceError.bodyLimit)
            throw ticket.head.secrets.map(failure.hiding) ?? failure
        }
    }
}
