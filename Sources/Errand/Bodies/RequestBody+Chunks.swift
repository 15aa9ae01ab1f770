extension RequestBody {
    /// Returns the number of bytes, for the `Content-Length` header, or `nil` if the body is a stream of unknown length
    /// or contains one.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` for a file that cannot be read or is not a
    ///   regular file, and for an invalid multipart body.
    public func length() throws(ServiceError) -> Int64? {
        switch self {
        case .none: 0
        case .data(let data): Int64(data.count)
        case .stream(let stream): stream.length
        case .file(let url): try RegularFile(url).size
        case .multipart(let multipart): try multipart.length()
        }
    }

    /// The bytes of the body, from data, files and streams. A custom ``APISession`` sends them.
    ///
    /// ```swift
    /// for try await chunk in request.body.chunks { try await connection.write(chunk) }
    /// ```
    public var chunks: Chunks { Chunks(body: self) }

    /// An asynchronous sequence of the chunks of a body. Each iteration starts at the first byte.
    public struct Chunks: AsyncSequence, Sendable {
        fileprivate let body: RequestBody

        /// An iterator over the chunks of a body.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private enum Source {
                case unopened(RequestBody)
                case parts(RequestBody.Stream.Parts)
            }

            private var source: Source

            fileprivate init(_ body: RequestBody) {
                source = .unopened(body)
            }

            /// Returns the next chunk, or `nil` at the end. A file is read in chunks of 256 kB.
            /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the source cannot be read, if it is a
            ///   single-use stream that was already read, or if a stream or a file has more or fewer bytes than its
            ///   length. Also `CancellationError`.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
                let parts: RequestBody.Stream.Parts
                switch source {
                case .parts(let opened): parts = opened
                case .unopened(let body):
                    parts = try body.makeParts()
                    source = .parts(parts)
                }
                return try await parts()
            }

            /// Returns the next chunk. Runs outside the caller's isolation.
            public mutating func next() async throws -> Data? { try await next(isolation: nil) }
        }

        /// Creates an iterator that starts at the first byte.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body) }
    }

    /// Opens the body at the first byte.
    func makeParts() throws(ServiceError) -> RequestBody.Stream.Parts {
        switch self {
        case .none: return { nil }
        case .data(let data):
            var rest: Data? = data.isEmpty ? nil : data
            return { rest.take() }
        case .stream(let stream): return try stream.makeCheckedParts()
        case .multipart(let multipart): return try multipart.makeParts()
        case .file(let url):
            let file = try RegularFile(url)
            let opened = try file.open()
            var offset: Int64 = 0
            return {
                let chunk: Data
                do throws(FileFailure) { chunk = try opened.read(at: offset, count: RegularFile.chunkLength) } catch {
                    throw RegularFile.unreadable(error)
                }
                offset += Int64(chunk.count)
                // The server would parse bytes beyond the announced length as the next request.
                guard offset <= file.size, !chunk.isEmpty || offset == file.size else { throw RegularFile.changed }
                return chunk.isEmpty ? nil : chunk
            }
        }
    }
}
