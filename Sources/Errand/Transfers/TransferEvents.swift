import ErrandSupport

/// The events of an upload or a download. The value is the last event. All others are progress.
///
/// Each iteration runs the API call again. The API call is cancelled if the loop ends early or its task is cancelled.
/// To run it without progress, use ``value``.
///
/// The first event is the progress at the start. Later ones follow at most every 50 milliseconds, the last one before
/// the value. A slow reader gets only the newest progress, and never slows the transfer down. See
/// ``TransferProgress/completed`` for the case in which the progress starts again.
public struct TransferEvents<Value: Sendable>: AsyncSequence, Sendable {
    /// An event of the transfer.
    public typealias Element = TransferEvent<Value>

    private let time: any TimeSource
    private var interval: Duration = .milliseconds(50)
    private let work: @Sendable (TransferMeter) async throws(ServiceError) -> Value

    package init(
        on time: any TimeSource, _ work: @escaping @Sendable (TransferMeter) async throws(ServiceError) -> Value
    ) {
        self.time = time
        self.work = work
    }

    /// Returns the same events with another minimum time between two of them.
    ///
    /// - Parameter interval: From 1 millisecond to 1 day. Other values are limited to these. The default is 50
    ///   milliseconds.
    /// - Returns: The events.
    public func updating(every interval: Duration) -> TransferEvents {
        var result = self
        result.interval = Swift.min(Swift.max(interval, .milliseconds(1)), .seconds(86_400))
        return result
    }

    /// Runs the API call without reporting progress, and returns its value.
    /// - Throws: Only ``ServiceError``.
    public var value: Value {
        get async throws(ServiceError) { try await work(TransferMeter()) }
    }

    /// Creates an iterator. The API call starts with the first ``AsyncIterator/next(isolation:)``.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(run: TransferRun(time, interval, work)) }

    /// An iterator over the events of one run of the API call.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let run: TransferRun<Value>

        /// Returns the next event, or `nil` after the value.
        /// - Throws: ``ServiceError``, once. Its code is ``ServiceError/Code/cancelled`` if the task was cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ServiceError) -> TransferEvent<Value>? {
            try await run.next()
        }

        /// Returns the next event. Runs outside the caller's isolation.
        public mutating func next() async throws(ServiceError) -> TransferEvent<Value>? {
            try await next(isolation: nil)
        }
    }
}
