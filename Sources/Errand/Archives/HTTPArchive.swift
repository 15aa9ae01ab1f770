import ErrandSupport

/// A recording of requests and responses in the format HAR 1.2, which the developer tools of browsers import and export.
///
/// ```swift
/// let archive = try HTTPArchive(contentsOf: URL(filePath: "gallery.har"))
/// for entry in archive.entries { print(entry.request.url, entry.response?.status ?? 0) }
/// ```
/// Archives that this library records are redacted. An archive from another program is not. Do not commit it. Save the
/// result of ``redacted(by:)`` instead.
public struct HTTPArchive: Sendable, Hashable {
    /// The maximum size of a file that is read: 1 GB.
    private static let fileLimit = 1 << 30

    /// The requests and their responses, in the order in which the requests were sent.
    public var entries: [Entry]

    /// Creates an archive.
    public init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// Reads an archive.
    ///
    /// - Parameter data: A HAR file in UTF-8. Optional members and members of other programs are ignored.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/decoding`` if the data is not a HAR file.
    public init(data: Data) throws(ServiceError) {
        do {
            self = try JSONDecoder().decode(ArchiveFile.self, from: data.withoutByteOrderMark).archive
        } catch {
            let reason = (error as? DecodingError)?.reason ?? (error as? ServiceError)?.reason ?? "\(error)"
            throw ServiceError(.decoding, "the data is not a HAR file: \(reason)", underlying: error)
        }
    }

    /// Reads an archive from a file.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file`` if the file cannot be read, and with
    ///   ``ServiceError/Code/decoding`` if it is not a HAR file.
    public init(contentsOf file: URL) throws(ServiceError) {
        let data: Data
        do throws(FileFailure) {
            data = try OpenFile(reading: file).read(upTo: Self.fileLimit)
            guard data.count < Self.fileLimit else { throw FileFailure(EFBIG) }
        } catch {
            throw ServiceError(.file, "the HAR file can't be read: \(error)", underlying: error.cause)
        }
        try self.init(data: data)
    }

    /// The archive as a HAR file: JSON in UTF-8, with sorted keys and line breaks, so that two versions can be compared.
    public var data: Data {
        let encoder = JSONEncoder.errand
        encoder.outputFormatting.insert(.prettyPrinted)
        // The encoder fails only for numbers that are not finite, and the file has none.
        return (try? encoder.encode(ArchiveFile(self))) ?? Data()
    }

    /// Writes the archive to a file, which is replaced if it exists. The file never has partial contents.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/file``.
    public func write(to file: URL) throws(ServiceError) {
        do throws(FileFailure) {
            let partial = try PartialFile(in: file.deletingLastPathComponent())
            try partial.write(data)
            try partial.move(to: file)
        } catch {
            throw ServiceError(.file, "the HAR file can't be written: \(error)", underlying: error.cause)
        }
    }
}

extension HTTPArchive {
    /// A request and its response.
    public struct Entry: Sendable, Hashable {
        /// The time at which the request was sent.
        public var date: Date
        /// The time from the start of the request to the end of the response.
        public var duration: Duration
        /// The time from the start of the request to the header section of the response.
        public var wait: Duration
        /// The request.
        public var request: Request
        /// The response, or `nil` if none was received.
        public var response: Response?
        /// The error that ended the request or its response, in the form `code: reason`. `nil` if it was complete.
        public var failure: String?

        /// Creates an entry.
        public init(
            date: Date, duration: Duration = .zero, wait: Duration = .zero, request: Request, response: Response?,
            failure: String? = nil
        ) {
            (self.date, self.duration, self.wait) = (date, duration, wait)
            (self.request, self.response, self.failure) = (request, response, failure)
        }
    }

    /// A recorded request.
    public struct Request: Sendable, Hashable {
        /// The method, such as `GET`.
        public var method: String
        /// The absolute URL.
        public var url: String
        /// The headers, in order.
        public var headers: HeaderFields
        /// The body, or `nil` if there was none.
        public var body: Body?

        /// Creates a request.
        public init(method: String = "GET", url: String, headers: HeaderFields = [:], body: Body? = nil) {
            (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
        }
    }

    /// A recorded response.
    public struct Response: Sendable, Hashable {
        /// The status code.
        public var status: Int
        /// The headers, in order.
        public var headers: HeaderFields
        /// The body, with its content coding decoded. Empty if it could not be decoded.
        public var body: Body
        /// The chunks in which the body arrived. Empty if the body was not streamed.
        public var chunks: [Chunk]

        /// Creates a response.
        public init(status: Int, headers: HeaderFields = [:], body: Body = Body(), chunks: [Chunk] = []) {
            (self.status, self.headers, self.body, self.chunks) = (status, headers, body, chunks)
        }
    }

    /// The bytes of a body.
    public struct Body: Sendable, Hashable {
        /// The recorded bytes.
        public var bytes: Data
        /// The media type, or an empty string.
        public var mediaType: String
        /// The size of the complete body in bytes, or `nil` if it is unknown. If it is not the number of recorded bytes,
        /// the body was truncated or not recorded.
        public var size: Int64?

        /// Creates a body. The default of `size` is the number of bytes.
        public init(_ bytes: Data = Data(), mediaType: String = "", size: Int64? = nil) {
            (self.bytes, self.mediaType, self.size) = (bytes, mediaType, size ?? Int64(bytes.count))
        }

        /// Whether all bytes were recorded.
        public var isComplete: Bool { size == Int64(bytes.count) }
    }

    /// The size and the arrival time of a chunk of a streamed body.
    public struct Chunk: Sendable, Hashable {
        /// The number of bytes.
        public var size: Int
        /// The time from the header section of the response to the arrival of the chunk.
        public var moment: Duration

        /// Creates a chunk.
        public init(size: Int, moment: Duration) {
            (self.size, self.moment) = (size, moment)
        }
    }
}

extension HTTPArchive: CustomStringConvertible, CustomReflectable {
    /// The number of entries. The contents are not shown.
    public var description: String { "an HTTP archive with \(entries.count) entries" }
    /// A mirror that shows ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["archive": description]) }
}

extension Data {
    fileprivate var withoutByteOrderMark: Data {
        starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self
    }
}
