import ErrandSupport

/// The body of a request.
///
/// ```swift
/// let body: RequestBody = .file(URL(filePath: "holiday.mov"))
/// let rows: RequestBody = .stream { database.rows() }        // opened each time it is sent
/// ```
public enum RequestBody: Sendable, Hashable {
    /// No body.
    case none
    /// Bytes in memory. They can be sent again.
    case data(Data)
    /// A regular file, which is read while it is sent. It can be sent again.
    ///
    /// Sending throws an error with ``ServiceError/Code/encoding`` if the file changes its size after the start, if it
    /// cannot be read, or if it is not a regular file.
    case file(URL)
    /// Bytes that are produced while they are sent.
    case stream(RequestBody.Stream)
    /// Fields and files of the type `multipart/form-data` (RFC 7578).
    indirect case multipart(MultipartBody)

    /// Returns a body that is produced while it is sent. The sequence is created each time the body is sent.
    ///
    /// For a `URLSession`, the bytes are first written to a temporary file that only the current user can read. A body
    /// of any size therefore takes little memory, and its length is sent. The file is always removed. Its size is
    /// limited only by the disk. An error of the source is thrown as ``ServiceError/Code/encoding``, with the error as
    /// the cause.
    /// - Parameters:
    ///   - length: The number of bytes. More or fewer bytes are an error. If `nil` (the default), a session that
    ///     streams the body sends it in chunks (RFC 9112, section 7.1).
    ///   - open: Creates the sequence.
    /// - Returns: The body.
    public static func stream<Parts: AsyncSequence & Sendable>(
        length: Int64? = nil, _ open: @escaping @Sendable () -> Parts
    ) -> RequestBody where Parts.Element == Data {
        .stream(RequestBody.Stream(length: length, isReplayable: true, open: { open().makeReader() }))
    }

    /// Returns a body that can be sent only once. A redirect that needs it again is an error.
    public static func stream<Parts: AsyncSequence & Sendable>(
        once parts: Parts, length: Int64? = nil
    ) -> RequestBody where Parts.Element == Data {
        .stream(RequestBody.Stream(length: length, isReplayable: false, open: { parts.makeReader() }))
    }

    /// The bytes of a body in memory, or `nil` for other bodies.
    ///
    /// Each call joins the parts of a multipart body. If no request has set its boundary yet, each call has another one.
    public var data: Data? {
        switch self {
        case .data(let data): data
        case .multipart(let multipart): multipart.data
        case .none, .file, .stream: nil
        }
    }

    /// Whether the bytes are in memory, or there are none.
    package var isInMemory: Bool {
        switch self {
        case .none, .data: true
        case .multipart(let multipart): multipart.isInMemory
        case .file, .stream: false
        }
    }

    /// Whether the body can be sent again, for a redirect or a retry.
    public var isReplayable: Bool {
        switch self {
        case .none, .data, .file: true
        case .stream(let stream): stream.isReplayable
        case .multipart(let multipart): multipart.isReplayable
        }
    }
}

extension RequestBody {
    /// The source of a streamed body. A stream is equal only to itself.
    public final class Stream: Sendable {
        /// Returns the next chunk, or `nil` at the end.
        package typealias Parts = () async throws -> Data?

        /// The number of bytes, or `nil` if it is unknown.
        public let length: Int64?
        /// Whether the stream can be opened more than once.
        public let isReplayable: Bool
        private let open: @Sendable () -> Parts
        private let isOpened = Locked(false)

        init(length: Int64?, isReplayable: Bool, open: @escaping @Sendable () -> Parts) {
            self.length = length
            self.isReplayable = isReplayable
            self.open = open
        }

        /// Opens the source at the first byte.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if a single-use source was already opened.
        package func makeParts() throws(ServiceError) -> Parts {
            let isFirst = isOpened.withLock { isOpened in
                defer { isOpened = true }
                return !isOpened
            }
            guard isFirst || isReplayable else {
                throw ServiceError(
                    .encoding,
                    "the body is a single-use stream that was already sent: pass one that can be opened again")
            }
            return open()
        }

    }
}

extension RequestBody.Stream: Hashable {
    /// Returns whether both are the same instance.
    public static func == (one: RequestBody.Stream, other: RequestBody.Stream) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension RequestBody: CustomStringConvertible, CustomReflectable {
    /// The size or the kind of the body, without its content.
    public var description: String {
        switch self {
        case .none: "‹no body›"
        case .data(let data): "‹\(data.count) bytes›"
        case .file: "‹a file›"
        case .stream(let stream): stream.length.map { "‹a stream of \($0) bytes›" } ?? "‹a stream›"
        case .multipart(let multipart): multipart.description
        }
    }
    /// A mirror that shows ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["body": description]) }
}
