import ErrandSupport

/// The body of a response: bytes in memory, or a stream that is received while it is read.
///
/// ```swift
/// let data = try await response.body.collect(upTo: 1 << 20)
/// for try await chunk in response.body { file.write(chunk) }
/// for try await line in response.body.lines { print(line) }
/// ```
/// A stream has one reader. A second iteration throws, because the bytes are not kept. If the session supports it (see
/// <doc:sessions-by-platform>), the transfer is not faster than the reader. The transfer ends if the reader leaves the
/// loop, if the body is released unread, or if the reading task is cancelled.
public struct ResponseBody: Sendable {
    fileprivate enum Storage: Sendable {
        case bytes(Data)
        case stream(BodyStream)
    }

    private let storage: Storage
    /// The content codings that the session did not decode, if the session knows them.
    package var codings = ContentCodings(nil)

    /// Creates a body from bytes in memory.
    public init(_ data: Data = Data()) {
        storage = .bytes(data)
    }

    /// Creates a streamed body, for custom sessions, interceptors and test doubles. An error of the sequence is thrown
    /// as a ``ServiceError``.
    public init<Parts: AsyncSequence & Sendable>(stream parts: Parts) where Parts.Element == Data {
        self.init(
            BodyStream {
                let next = parts.makeReader()
                return {
                    let chunk = try await next()
                    // `AsyncStream` ends instead of throwing when its reader is cancelled.
                    if chunk == nil { try Task.checkCancellation() }
                    return chunk
                }
            })
    }

    package init(_ stream: BodyStream) {
        storage = .stream(stream)
    }

    /// The default size limit of ``collect(upTo:)``: 64 MB.
    public static let defaultLimit: Int = 64 << 20

    /// The bytes of a body in memory, or `nil` for a stream.
    public var data: Data? {
        if case .bytes(let data) = storage { data } else { nil }
    }

    /// The trailers of the response (RFC 9110, section 6.5). They are empty until the stream was read to its end.
    public var trailers: HeaderFields {
        if case .stream(let stream) = storage { stream.ending?.trailers ?? [:] } else { [:] }
    }

    /// The metrics of the complete transfer, after a stream was read to its end. For bytes in memory, see
    /// ``APIResponse/metrics``.
    public var metrics: TransportMetrics? {
        if case .stream(let stream) = storage { stream.ending?.metrics } else { nil }
    }

    /// Returns the complete body. Bytes in memory can be collected more than once, a stream only once.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/bodyTooLarge`` if the body exceeds the limit, or the error
    ///   that ended the stream.
    public func collect(upTo limit: Int = defaultLimit) async throws(ServiceError) -> Data {
        if case .bytes(let bytes) = storage {
            guard bytes.count <= limit else { throw .bodyTooLarge(limit) }
            return bytes
        }
        var collected = Data()
        for try await chunk in self {
            guard chunk.count <= limit - collected.count else { throw .bodyTooLarge(limit) }
            collected.append(chunk)
        }
        return collected
    }
}

extension ResponseBody: AsyncSequence {
    /// An iterator over the chunks of a body. The sizes of the chunks have no meaning.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            case bytes(Data)
            case stream(BodyStream.Reader)
            case taken
            case ended
        }

        private var state: State

        fileprivate init(_ storage: Storage) {
            state =
                switch storage {
                case .bytes(let data): data.isEmpty ? .ended : .bytes(data)
                case .stream(let stream): stream.makeReader().map { .stream($0) } ?? .taken
                }
        }

        /// Returns the next chunk, which is never empty, or `nil` at the end.
        /// - Throws: ``ServiceError`` if the transfer failed, or if the stream already had a reader.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ServiceError) -> Data? {
            switch state {
            case .ended: return nil
            case .bytes(let data):
                state = .ended
                return data
            case .taken:
                state = .ended
                throw ServiceError(.configuration, "the streamed body was already read: read it once, or collect it")
            case .stream(let reader):
                do throws(ServiceError) {
                    if let chunk = try await reader.next() { return chunk }
                    state = .ended
                    return nil
                } catch {
                    state = .ended
                    throw error
                }
            }
        }

        /// Returns the next chunk. Runs outside the caller's isolation.
        public mutating func next() async throws(ServiceError) -> Data? { try await next(isolation: nil) }
    }

    /// Creates an iterator that starts to read the body.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(storage) }
}

extension ResponseBody: CustomStringConvertible, CustomReflectable {
    /// The size of the body in memory, or a note that it is a stream. The content is not shown.
    public var description: String { data.map { "‹\($0.count) bytes›" } ?? "‹a stream›" }
    /// A mirror that shows ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["body": description]) }
}
