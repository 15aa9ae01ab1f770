import ErrandSupport

/// What a request carries.
///
/// ```swift
/// let body: RequestBody = .file(URL(filePath: "holiday.mov"))
/// let rows: RequestBody = .stream { database.rows() }        // opened anew for each time that it is sent
/// ```
public enum RequestBody: Sendable, Hashable {
    /// No body.
    case none
    /// Bytes in memory; they can be sent again.
    case data(Data)
    /// A regular file, read while it is sent; it can be sent again. Its size is taken when sending begins: one that
    /// changes meanwhile is an error, and so is what is no regular file or can't be read, with
    /// ``ServiceError/Code/encoding``.
    case file(URL)
    /// Bytes that are made while they are sent.
    case stream(RequestBody.Stream)

    /// Bytes that are made while they are sent, opened anew each time that they are.
    ///
    /// A `URLSession` gets them from a temporary file, which only this user can read: they are written there first, so
    /// that a body of any size takes little memory and its length is announced, and removed in every case. How much that
    /// may be is up to the disk. What the source throws is an error with ``ServiceError/Code/encoding`` that has it as its
    /// cause.
    /// - Parameters:
    ///   - length: How many bytes come, where that is known: more or fewer are an error. Nil, the default: a session that
    ///     sends them as they come does it in chunks (RFC 9112, section 7.1).
    ///   - open: Makes the sequence.
    /// - Returns: The body.
    public static func stream<Parts: AsyncSequence & Sendable>(
        length: Int64? = nil, _ open: @escaping @Sendable () -> Parts
    ) -> RequestBody where Parts.Element == Data {
        .stream(RequestBody.Stream(length: length, isReplayable: true, open: { open().makeReader() }))
    }

    /// Bytes that come once: a redirect that would need them again is an error.
    public static func stream<Parts: AsyncSequence & Sendable>(
        once parts: Parts, length: Int64? = nil
    ) -> RequestBody where Parts.Element == Data {
        .stream(RequestBody.Stream(length: length, isReplayable: false, open: { parts.makeReader() }))
    }

    /// The bytes where they are in memory, else nil.
    public var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }

    /// Whether the body can be sent a second time, as a redirect or another try may ask.
    public var isReplayable: Bool {
        if case .stream(let stream) = self { stream.isReplayable } else { true }
    }
}

extension RequestBody {
    /// The source of a body that is made while it is sent: equal to itself alone.
    public final class Stream: Sendable {
        /// Gives part after part, then nil.
        package typealias Parts = () async throws -> Data?

        /// How many bytes come, where that is known.
        public let length: Int64?
        /// Whether ``RequestBody/isReplayable`` holds.
        public let isReplayable: Bool
        private let open: @Sendable () -> Parts
        private let isOpened = Locked(false)

        fileprivate init(length: Int64?, isReplayable: Bool, open: @escaping @Sendable () -> Parts) {
            self.length = length
            self.isReplayable = isReplayable
            self.open = open
        }

        /// Starts from the first byte.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` where the bytes come once and have been taken.
        package func makeParts() throws(ServiceError) -> Parts {
            let isFirst = isOpened.withLock { isOpened in
                defer { isOpened = true }
                return !isOpened
            }
            guard isFirst || isReplayable else {
                throw ServiceError(.encoding, "the body comes once, and has been sent")
            }
            return open()
        }

    }
}

extension RequestBody.Stream: Hashable {
    /// Whether both are the same one.
    public static func == (one: RequestBody.Stream, other: RequestBody.Stream) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension RequestBody: CustomStringConvertible, CustomReflectable {
    /// The size alone, or what kind of source it is.
    public var description: String {
        switch self {
        case .none: "‹no body›"
        case .data(let data): "‹\(data.count) bytes›"
        case .file: "‹a file›"
        case .stream(let stream): stream.length.map { "‹a stream of \($0) bytes›" } ?? "‹a stream›"
        }
    }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["body": description]) }
}
