import ErrandSupport

/// A body on its way, with one reader; when both are gone, the transfer is stopped.
package final class BodyStream: Sendable {
    /// Gives chunk after chunk, then nil.
    package typealias Chunks = () async throws -> Data?

    /// What is known once the last byte has come.
    package struct Ending: Sendable {
        package var trailers: HeaderFields = [:]
        package var metrics: TransportMetrics?

        package init(trailers: HeaderFields = [:], metrics: TransportMetrics? = nil) {
            self.trailers = trailers
            self.metrics = metrics
        }
    }

    private let open: @Sendable () -> Chunks
    private let stop: @Sendable () -> Void
    private let end: @Sendable () -> Ending?
    private let isTaken = Locked(false)

    /// A stream of a source that is opened when its reader comes, and stopped when nobody can read it any longer.
    package init(
        stop: @escaping @Sendable () -> Void = {}, end: @escaping @Sendable () -> Ending? = { nil },
        open: @escaping @Sendable () -> Chunks
    ) {
        self.open = open
        self.stop = stop
        self.end = end
    }

    deinit { stop() }

    package var ending: Ending? { end() }

    /// The one reader; nil where there has been one.
    func makeReader() -> Reader? {
        let isFirst = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        return isFirst ? Reader(self, open()) : nil
    }

    /// Reads a stream, and stops it when it is dropped: nobody else can.
    final class Reader {
        private let stream: BodyStream
        private let chunks: Chunks

        init(_ stream: BodyStream, _ chunks: @escaping Chunks) {
            self.stream = stream
            self.chunks = chunks
        }

        deinit { stream.stop() }

        /// The next chunk that is not empty.
        nonisolated(nonsending) func next() async throws(ServiceError) -> Data? {
            do {
                while let chunk = try await chunks() {
                    if !chunk.isEmpty { return chunk }
                }
                return nil
            } catch {
                let error = Task.isCancelled ? CancellationError() : error
                throw ServiceError(wrapping: error, as: .transport, "the body's source failed")
            }
        }
    }
}
