import ErrandSupport

/// The values of a streamed body: JSON Lines, NDJSON, a JSON text sequence (RFC 7464), or the elements of an array.
///
/// Each iteration sends the request. It ends when its loop is left or its task is cancelled. The transfer is not faster
/// than the loop, if the session supports it (<doc:sessions-by-platform>).
public struct JSONValues<Element: Decodable & SendableMetatype & Sendable>: AsyncSequence, Sendable {
    /// The type of the errors.
    public typealias Failure = ServiceError

    let connector: StreamConnector
    /// Whether the body is an array.
    let isArray: Bool
    let limit: Int
    let skipsUndecodable: Bool
    let decoder: JSONDecoder
    let counter = SkipCounter()

    /// The number of values that were skipped because they cannot be decoded, in all iterations.
    public var skippedCount: Int { counter.count }

    /// Creates an iterator. It sends the request when the first value is requested.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(values: self) }

    /// An iterator over the values of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let values: JSONValues
        private var request: APIRequest?
        private var reader: JSONValueReader<Element>?
        private var ready: ArraySlice<Element> = []
        /// The end of the values, after those that are ready.
        private var end: Result<Void, ServiceError>?

        fileprivate init(values: JSONValues) {
            self.values = values
        }

        /// Returns the next value, or `nil` at the end of the body.
        ///
        /// - Throws: ``ServiceError``, once. The code is ``ServiceError/Code/decoding`` if a value cannot be decoded,
        ///   ``ServiceError/Code/bodyTooLarge`` if it is too large, and that of the transfer if it fails.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ServiceError) -> Element? {
            do throws(ServiceError) {
                while true {
                    if let value = ready.popFirst() { return value }
                    if let end {
                        self.end = .success(())
                        try end.get()
                        return nil
                    }
                    try await receive()
                }
            } catch {
                (reader, end) = (nil, .success(()))
                throw request.map(error.adding) ?? error
            }
        }

        /// Returns the next value. Runs outside the caller's isolation.
        public mutating func next() async throws(ServiceError) -> Element? { try await next(isolation: nil) }

        private mutating func receive() async throws(ServiceError) {
            guard let reader else {
                let request = try await values.connector.request()
                self.request = request
                let loaded = try await values.connector.send(request)
                self.reader = JSONValueReader(loaded, values)
                return
            }
            let batch = try await reader.next(by: request?.options.deadline)
            (ready, end) = (batch.values[...], batch.end)
            if batch.end != nil { self.reader = nil }
        }
    }
}

/// Counts the values that are skipped.
final class SkipCounter: Sendable {
    private let state = Locked(0)

    var count: Int { state.withLock { $0 } }

    func add() {
        state.withLock { $0 += 1 }
    }
}
