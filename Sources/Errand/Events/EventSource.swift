/// The events of a server, across reconnections (HTML, section 9.2).
///
/// ```swift
/// for try await delta in loader.events(ChatQuery(text), as: ChatDelta.self, until: "[DONE]") {
///     print(delta.text)
/// }
/// ```
/// An iteration sends the request, delivers the events, and connects again when the connection ends, as
/// ``EventOptions`` define. It sends the ID of the last event, so that the server can continue after it. The handler
/// makes the request anew for each connection, and the request passes through the interceptors of the session, so that
/// it gets a fresh token. The deadline of the API call applies to all connections together.
///
/// Each iteration has its own connection. It ends when its loop is left or its task is cancelled. The transfer is not
/// faster than the loop, if the session supports it (<doc:sessions-by-platform>).
public struct EventSource<Element: Sendable>: AsyncSequence, Sendable {
    /// The type of the errors.
    public typealias Failure = ServiceError

    let connector: EventConnector
    let options: EventOptions
    let control: EventControl
    let reading: EventReading<Element>

    /// The number of events that ``EventOptions/skipsUndecodable`` has skipped, in all iterations.
    public var skippedCount: Int { control.skipped }

    /// The events of the latest iteration's trail. It has one entry for each connection that has ended, at most
    /// ``Trail/limit``.
    public var trail: Trail { control.trail }

    /// Ends the present connection of each iteration, and connects again at once with the ID of the last event.
    ///
    /// Events that were received are delivered first. A wait before a reconnection ends. A POST request is sent again,
    /// too.
    public func restart() { control.restart() }

    /// Creates an iterator. It connects when the first element is requested.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(run: EventSourceRun(self)) }

    /// An iterator over the elements of an event source.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var run: EventSourceRun<Element>
        /// The elements that were received and are delivered next.
        @usableFromInline
        var ready: ArraySlice<Element> = []

        fileprivate init(run: EventSourceRun<Element>) {
            self.run = run
        }

        /// Returns the next element, or `nil` after the last event, after status 204, or if the server ended a stream
        /// that must not be requested again.
        ///
        /// - Throws: ``ServiceError``, once. The code is ``ServiceError/Code/cancelled`` if the task was cancelled.
        @inlinable
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ServiceError) -> Element? {
            // Inlinable, because generic code that is not specialized looks up type metadata for each element.
            if let element = ready.popFirst() { return element }
            try await receive()
            return ready.popFirst()
        }

        /// Waits for the next elements. There are none at the end.
        @usableFromInline
        mutating func receive() async throws(ServiceError) {
            ready = try await run.next()
        }

        /// Returns the next element. Runs outside the caller's isolation.
        public mutating func next() async throws(ServiceError) -> Element? { try await next(isolation: nil) }
    }
}

extension EventSource where Element == ServerSentEvent {
    /// The events, the comments and the changes of the connection.
    public var activities: EventSource<EventActivity> {
        reading(EventReading { activity, _ in .element(activity) })
    }

    /// Returns the values of the events of one type. Events of other types are ignored.
    ///
    /// ```swift
    /// for try await price in loader.events(query).on("price", as: Price.self) { show(price) }
    /// ```
    /// - Parameters:
    ///   - type: The type of the events. Events without a type have the type `message`.
    ///   - value: The type of the values.
    ///   - decoder: The decoder with the strategies to use. The default is `JSONDecoder.errand`.
    /// - Returns: The values. An event that cannot be decoded is an error, or is skipped
    ///   (``EventOptions/skipsUndecodable``).
    public func on<Value: Decodable & SendableMetatype & Sendable>(
        _ type: String, as value: Value.Type, decoder: JSONDecoder = .errand
    ) -> EventSource<Value> {
        decoding(value, type: type, decoder: decoder)
    }

    func decoding<Value: Decodable & SendableMetatype & Sendable>(
        _ value: Value.Type, type: String? = nil, until last: String? = nil, decoder: JSONDecoder
    ) -> EventSource<Value> {
        let control = control
        let skip: (@Sendable () -> Void)? = options.skipsUndecodable ? { @Sendable in control.skip() } : nil
        return reading(reading.decoding(value, type: type, until: last, decoder: decoder, skipping: skip))
    }

    func reading<Other: Sendable>(_ reading: EventReading<Other>) -> EventSource<Other> {
        EventSource<Other>(connector: connector, options: options, control: control, reading: reading)
    }
}
