extension ResponseBody {
    /// The most bytes of a line that ``lines`` reads: 1 MB.
    public static let standardLineLimit: Int = 1 << 20

    /// The body's lines as text, of at most ``standardLineLimit`` bytes each.
    public var lines: Lines { lines(upTo: Self.standardLineLimit) }

    /// The body's lines as text.
    ///
    /// A line ends with LF or CRLF, which is not part of it; what follows the last of them is a line, too, unless it is
    /// empty. The text is UTF-8, and what is none of it is repaired.
    /// - Parameter limit: The most bytes of a line; a longer one is ``ServiceError/Code/bodyTooLarge``.
    /// - Returns: The sequence; nothing is read before it is iterated.
    public func lines(upTo limit: Int) -> Lines { Lines(body: self, limit: limit) }

    /// The lines of a body: as the body itself, a stream's are read once.
    public struct Lines: AsyncSequence, Sendable {
        fileprivate let body: ResponseBody
        fileprivate let limit: Int

        /// Starts reading.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(
                codings: body.codings, chunks: body.makeAsyncIterator(), splitter: LineSplitter(limit: limit))
        }

        /// Reads line after line.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let codings: ContentCodings
            /// Nil once the last chunk has been read, or a line was too long: dropping it ends the transfer.
            fileprivate var chunks: ResponseBody.AsyncIterator?
            fileprivate var splitter: LineSplitter

            /// The next line; nil at the end.
            /// - Throws: ``ServiceError``: for a line that is too long, for a body in a content coding that the session has
            ///   not decoded (``ServiceError/Code/decoding``), and as the body's own chunks do.
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

            /// The same, for callers that know no isolation.
            public mutating func next() async throws(ServiceError) -> String? { try await next(isolation: nil) }
        }
    }
}
