import ErrandSupport

/// An answer's body: bytes that are here, or a stream that arrives while it is read.
///
/// ```swift
/// let data = try await response.body.collect(upTo: 1 << 20)
/// for try await chunk in response.body { file.write(chunk) }
/// for try await line in response.body.lines { print(line) }
/// ```
/// A stream has one reader: a second iteration throws, as the bytes are gone. It is read no faster than its reader takes
/// it, where the session can (see <doc:sessions-by-platform>). Leaving the loop, dropping the body unread or cancelling
/// the reading task ends the transfer.
public struct ResponseBody: Sendable {
    fileprivate enum Storage: Sendable {
        case bytes(Data)
        case stream(BodyStream)
    }

    private let storage: Storage
    /// The content codings that the session has not undone. Set by sessions that know.
    package var codings = ContentCodings(nil)

    /// A body that is here.
    public init(_ data: Data = Data()) {
        storage = .bytes(data)
    }

    /// A body that arrives, for sessions, interceptors and doubles of your own. What the parts throw becomes a
    /// ``ServiceError``.
    public init<Parts: AsyncSequence & Sendable>(stream parts: Parts) where Parts.Element == Data {
        self.init(BodyStream { parts.makeReader() })
    }

    package init(_ stream: BodyStream) {
        storage = .stream(stream)
    }

    /// The largest body that is collected by default: 64 MB.
    public static let standardLimit: Int = 64 << 20

    /// The bytes, where they are here; nil for a stream.
    public var data: Data? {
        if case .bytes(let data) = storage { data } else { nil }
    }

    /// The fields that came after a body in chunks (RFC 9110, section 6.5), once it has been read to its end.
    public var trailers: HeaderFields {
        if case .stream(let stream) = storage { stream.ending?.trailers ?? [:] } else { [:] }
    }

    /// What the whole transfer cost, once a stream has been read to its end. Of a body that is here, the response knows.
    public var metrics: TransportMetrics? {
        if case .stream(let stream) = storage { stream.ending?.metrics } else { nil }
    }

    /// The whole body.
    ///
    /// - Throws: ``ServiceError``: with ``ServiceError/Code/bodyTooLarge`` where it has more bytes than the limit, and
    ///   what ends the stream. Bytes that are here can be had as often as they are asked for.
    public func collect(upTo limit: Int = standardLimit) async throws(ServiceError) -> Data {
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
    /// Reads chunk after chunk; their sizes say nothing.
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

        /// The next chunk, never empty; nil at the end.
        /// - Throws: ``ServiceError``: why the transfer ended early, or that the stream has another reader.
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
                throw ServiceError(.configuration, "a body that arrives can be read once")
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

        /// The same, for callers that know no isolation.
        public mutating func next() async throws(ServiceError) -> Data? { try await next(isolation: nil) }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(storage) }
}

extension ResponseBody: CustomStringConvertible, CustomReflectable {
    /// The text that is safe to print.
    public var description: String { data.map { "‹\($0.count) bytes›" } ?? "‹a stream›" }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["body": description]) }
}
