import ErrandSupport

/// A body that is being received, with one reader. The transfer stops when the stream and its reader are released.
package final class BodyStream: Sendable {
    /// Returns the next chunk, or `nil` at the end.
    package typealias Chunks = () async throws -> Data?

    /// The trailers and the metrics, which are known after the last byte.
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

    /// Creates a stream. The source is opened for the reader, and stopped when it can no longer be read.
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

    /// Returns the reader, or `nil` if it was already created.
    func makeReader() -> Reader? {
        let isFirst = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        return isFirst ? Reader(self, open()) : nil
    }

    /// The only reader of a stream. It stops the stream when it is released.
    final class Reader {
        private let stream: BodyStream
        private let chunks: Chunks

        init(_ stream: BodyStream, _ chunks: @escaping Chunks) {
            self.stream = stream
            self.chunks = chunks
        }

        deinit { stream.stop() }

        /// Returns the next chunk that is not empty, or `nil` at the end.
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
