/// Decides how an event source continues: the next connection, the wait before it, and the end. It performs no I/O.
package struct EventSourceMachine: Sendable {
    /// The next step.
    package enum Action: Sendable, Hashable {
        /// Send the request.
        case connect
        /// Read the stream of the response.
        case receive
        /// Wait, and then connect.
        case wait(Duration)
        /// End the source without an error.
        case finish
    }

    /// The circumstances of the end of a connection.
    package struct Moment: Sendable {
        /// The time since the connection was opened.
        package var elapsed: Duration
        /// A random number from 0 to 1.
        package var draw: Double
        /// The time until the deadline, or `nil` without a deadline.
        package var remaining: Duration?

        package init(elapsed: Duration = .zero, draw: Double = 0, remaining: Duration? = nil) {
            (self.elapsed, self.draw, self.remaining) = (elapsed, draw, remaining)
        }
    }

    /// A connection that was open for this time has not failed: 30 seconds. It cannot be part of a fast loop.
    package static let stableTime: Duration = .seconds(30)
    /// The limits of the reconnection time that a server requests. A server must not cause a loop without waits.
    private static let retryLimits: ClosedRange<Duration> = .milliseconds(100) ... .seconds(86_400)
    private static let connectionCodes: Set<ServiceError.Code> = [
        .connection, .connectionLost, .timeout, .circuitOpen, .rateLimited,
    ]
    /// The codes of a stream that fails after it was opened.
    private static let streamCodes: Set<ServiceError.Code> = [
        .connection, .connectionLost, .timeout, .badResponse, .transport,
    ]

    private let options: EventOptions
    /// Whether the server must end the stream with a certain event.
    private let requiresLastEvent: Bool
    /// Whether the request may be sent again.
    private var isRepeatable = true
    /// The base of the backoff.
    private var base: Duration
    /// Whether the connection has received an event.
    private var hasEvent = false
    /// The number of consecutive failed connections.
    package private(set) var failures: Int = 0

    /// Creates the machine of a source.
    ///
    /// - Parameters:
    ///   - options: The options of the source.
    ///   - requiresLastEvent: Whether a stream that must not be requested again is truncated when the server ends it.
    package init(_ options: EventOptions, requiresLastEvent: Bool = false) {
        (self.options, self.requiresLastEvent) = (options, requiresLastEvent)
        base = min(max(.zero, options.backoff.base), Self.retryLimits.upperBound)
    }

    /// Prepares for a connection. `isRepeatable` is ``APIRequest/isRetryable`` of its request.
    package mutating func connect(isRepeatable: Bool) {
        (self.isRepeatable, hasEvent) = (isRepeatable, false)
    }

    /// Decides after the header section of a response that the validators have accepted, at the given wall-clock time.
    /// - Throws: ``ServiceError`` if it is not an event stream.
    package func respond(to head: ResponseHead, at date: Date) throws(ServiceError) -> Action {
        if head.status == 204 { return .finish }
        let isLenient = options.statuses.isLenient
        guard isLenient ? (200..<300).contains(head.status) : head.status == 200 else {
            let expected = isLenient ? "2xx" : "200"
            var error = ServiceError(
                .status, "expected an event stream with status \(expected), found status \(head.status)")
            (error.response, error.retryAfter) = (head, RetryAfter.wait(head.headers, now: date))
            throw error
        }
        guard isLenient || head.mediaType == "text/event-stream" else {
            let found = head.mediaType.map { head.printable($0, limit: 100) } ?? "no media type"
            var error = ServiceError(.validation, "expected an event stream of type text/event-stream, found \(found)")
            error.response = head
            throw error
        }
        return .receive
    }

    /// Notes that an event was received.
    package mutating func receiveEvent() {
        (failures, hasEvent) = (0, true)
    }

    /// Sets the reconnection time of the server.
    package mutating func setRetry(_ retry: Duration) {
        base = min(max(Self.retryLimits.lowerBound, retry), Self.retryLimits.upperBound)
    }

    /// Decides after a request that failed, or a response that was refused.
    /// - Throws: The failure, if the source does not connect again.
    package mutating func requestFailed(_ failure: ServiceError, _ moment: Moment) throws(ServiceError) -> Action {
        let isTemporary =
            if failure.code == .status {
                options.statuses.isLenient && Self.isTemporary(failure.status ?? 0)
            } else {
                Self.connectionCodes.contains(failure.code)
            }
        guard isTemporary, mayReconnect else { throw failure }
        failures += 1
        return try reconnect(after: failure, moment)
    }

    /// Decides after the end of a stream. `failure` is `nil` if the server ended it.
    /// - Throws: ``ServiceError`` if the stream is not complete, and the source does not connect again.
    package mutating func streamEnded(_ failure: ServiceError?, _ moment: Moment) throws(ServiceError) -> Action {
        guard mayReconnect else {
            if let failure { throw failure }
            guard !requiresLastEvent else {
                throw ServiceError(.connectionLost, "the event stream ended before its last event")
            }
            return .finish
        }
        if let failure, !Self.streamCodes.contains(failure.code) { throw failure }
        if !hasEvent { failures = moment.elapsed < Self.stableTime ? failures + 1 : 0 }
        return try reconnect(after: failure, moment)
    }

    /// Decides after a caller has requested a new connection.
    package mutating func restart() -> Action {
        failures = 0
        return .connect
    }

    private var mayReconnect: Bool { options.reconnects && isRepeatable }

    private func reconnect(after failure: ServiceError?, _ moment: Moment) throws(ServiceError) -> Action {
        guard failures <= max(0, options.failureLimit) else {
            throw failure
                ?? ServiceError(
                    .connectionLost, "the event stream ended \(failures) times in succession without an event")
        }
        var backoff = options.backoff
        backoff.base = base
        let own = base + backoff.wait(before: max(1, failures), draw: moment.draw)
        let wait = max(own, failure?.retryAfter ?? .zero)
        if let remaining = moment.remaining, remaining <= wait { throw failure ?? Deadline.error }
        return .wait(wait)
    }

    private static func isTemporary(_ status: Int) -> Bool {
        [408, 425, 429].contains(status) || (500..<600).contains(status)
    }
}
