extension ResponseBody {
    /// The maximum length of a line in ``lines``: 1 MB.
    public static let defaultLineLimit: Int = 1 << 20

    /// The lines of the body, with at most ``defaultLineLimit`` bytes each.
    public var lines: Lines { lines(upTo: Self.defaultLineLimit) }

    /// Returns the lines of the body as text.
    ///
    /// A line ends with LF or CRLF, which is not part of it. The bytes after the last line ending are a line unless
    /// they are empty. The text is decoded as UTF-8, and invalid bytes are repaired.
    /// - Parameter limit: The maximum number of bytes of a line. A longer line throws
    ///   ``ServiceError/Code/bodyTooLarge``.
    /// - Returns: The sequence of lines. Reading starts with the iteration.
    public func lines(upTo limit: Int) -> Lines { Lines(body: self, limit: limit) }

    /// The lines of a body. The lines of a stream can be read only once, like the stream.
    public struct Lines: AsyncSequence, Sendable {
        fileprivate let body: ResponseBody
        fileprivate let limit: Int

        /// Creates an iterator that starts to read the body.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(
                codings: body.codings, chunks: body.makeAsyncIterator(), splitter: LineSplitter(limit: limit))
        }

        /// An iterator over the lines of a body.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let codings: ContentCodings
            /// `nil` after the last chunk, or after a line that was too long. Releasing the iterator ends the transfer.
            fileprivate var chunks: ResponseBody.AsyncIterator?
            fileprivate var splitter: LineSplitter

            /// Returns the next line, or `nil` at the end.
            /// - Throws: ``ServiceError`` if a line is too long (``ServiceError/Code/bodyTooLarge``), if the body has a
            ///   content coding that the session did not decode (``ServiceError/Code/decoding``), or if the body fails.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(ServiceError) -> String? {
                do throws(ServiceError) {
                    try codings.requireNone()
                    while true {
                        if let line = try splitter.next() { return line }
                        guard let chunk = try await chunks?.next(isolation: actor) else { break }
                        splitter.add(chunk)
                    }
                } catch {
                    chunks = nil
                    splitter = LineSplitter(limit: 0)
                    throw error
                }
                chunks = nil
                return splitter.last()
            }

            /// Returns the next line. Runs outside the caller's isolation.
            public mutating func next() async throws(ServiceError) -> String? { try await next(isolation: nil) }
        }
    }
}
