extension RequestBody {
    /// The number of bytes, for the `Content-Length` header. `nil` for a stream without a length.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` for a file that can't be read or is not a regular
    ///   file.
    public func length() throws(ServiceError) -> Int64? {
        switch self {
        case .none: 0
        case .data(let data): Int64(data.count)
        case .stream(let stream): stream.length
        case .file(let url): try RegularFile(url).size
        }
    }

    /// The bytes of the body, whatever its source, for sessions of your own.
    ///
    /// ```swift
    /// for try await chunk in request.body.chunks { try await connection.write(chunk) }
    /// ```
    public var chunks: Chunks { Chunks(body: self) }

    /// The bytes of a body in order. Each iteration starts from the first byte.
    public struct Chunks: AsyncSequence, Sendable {
        fileprivate let body: RequestBody

        /// Reads chunk after chunk.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private enum Source {
                case unopened(RequestBody)
                case parts(RequestStream.Parts)
            }

            private var source: Source

            fileprivate init(_ body: RequestBody) {
                source = .unopened(body)
            }

            /// The next chunk, or `nil` at the end. A file is read in chunks of 256 kB.
            /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the source can't be read, if it is a stream
            ///   that comes once and was read, or if a stream has more or fewer bytes than its length; `CancellationError`.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
                let parts: RequestStream.Parts
                switch source {
                case .parts(let opened): parts = opened
                case .unopened(let body):
                    parts = try body.makeParts()
                    source = .parts(parts)
                }
                return try await parts()
            }

            /// The next chunk, for callers that know no isolation.
            public mutating func next() async throws -> Data? { try await next(isolation: nil) }
        }

        /// Starts reading.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body) }
    }

    private func makeParts() throws(ServiceError) -> RequestStream.Parts {
        switch self {
        case .none: return { nil }
        case .data(let data):
            var rest: Data? = data.isEmpty ? nil : data
            return { rest.take() }
        case .stream(let stream): return try stream.makeCheckedParts()
        case .file(let url):
            let file = try RegularFile(url)
            guard let handle = try? FileHandle(forReadingFrom: file.url) else {
                throw ServiceError(.encoding, "the body's file can't be read")
            }
            return {
                do { return try handle.read(upToCount: 256 << 10) } catch {
                    throw ServiceError(.encoding, "the body's file can't be read", underlying: error)
                }
            }
        }
    }
}
