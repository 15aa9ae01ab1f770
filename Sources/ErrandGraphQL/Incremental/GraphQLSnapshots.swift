public import Errand

/// The snapshots of an operation with incremental delivery. Create it with `snapshots(_:limit:)` of a loader.
///
/// Each iteration sends the request once. It ends when its loop is left or its task is cancelled. The transfer is not
/// faster than the loop, if the session supports it.
public struct GraphQLSnapshots<Response: Decodable & Sendable>: AsyncSequence, Sendable {
    /// The type of the elements.
    public typealias Element = GraphQLSnapshot<Response>
    /// The type of the errors.
    public typealias Failure = ServiceError

    let connector: StreamConnector
    let decoder: JSONDecoder
    let limit: Int

    /// Creates an iterator. It sends the request when the first snapshot is requested.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(snapshots: self) }

    /// An iterator over the snapshots of a response.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let snapshots: GraphQLSnapshots
        private var request: APIRequest?
        private var reader: IncrementalReader<Response>?
        private var isAtEnd = false

        fileprivate init(snapshots: GraphQLSnapshots) {
            self.snapshots = snapshots
        }

        /// Returns the next snapshot, or `nil` after the last one.
        ///
        /// - Throws: ``/Errand/ServiceError``, once. The code is ``/Errand/ServiceError/Code/cancelled`` if the task was
        ///   cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ServiceError) -> GraphQLSnapshot<Response>? {
            guard !isAtEnd else { return nil }
            do throws(ServiceError) {
                if let snapshot = try await connected().next() { return snapshot }
                (reader, isAtEnd) = (nil, true)
                return nil
            } catch {
                (reader, isAtEnd) = (nil, true)
                throw request.map(error.adding) ?? error
            }
        }

        /// Returns the next snapshot. Runs outside the caller's isolation.
        public mutating func next() async throws(ServiceError) -> GraphQLSnapshot<Response>? {
            try await next(isolation: nil)
        }

        /// Returns the reader of the response. Sends the request if that was not done.
        private mutating func connected() async throws(ServiceError) -> IncrementalReader<Response> {
            if let reader { return reader }
            let request = try await snapshots.connector.request()
            self.request = request
            let loaded = try await snapshots.connector.send(request)
            let reader = try IncrementalReader<Response>(
                loaded, request.options, decoder: snapshots.decoder, limit: snapshots.limit)
            self.reader = reader
            return reader
        }
    }
}
