import ErrandSupport

extension MultipartBody {
    /// A part of a multipart body: a field with a text, or a file (RFC 7578, section 4.2).
    public struct Part: Sendable, Hashable {
        /// The name of the form field.
        public let name: String
        /// The name of the file, or `nil` for a field.
        public let fileName: String?
        /// The media type, or `nil` for none. A part with a file name always has one (RFC 7578, section 4.4).
        public let contentType: String?
        /// The headers in addition to `Content-Disposition` and `Content-Type`.
        public let headers: HeaderFields
        /// The source of the bytes.
        public let content: Content

        /// Creates a part. The factories, such as ``file(_:name:fileName:contentType:)``, are shorter.
        /// - Parameters:
        ///   - name: The name of the form field.
        ///   - fileName: The name of the file. If `nil` (the default), the part is a field.
        ///   - contentType: The media type, without control characters. If `nil` (the default), a part with a file name
        ///     has the type `application/octet-stream`, and other parts have none.
        ///   - headers: More headers. A `Content-Disposition`, `Content-Type` or `Content-Length` is an error when the
        ///     body is sent, and so is an invalid header.
        ///   - content: The source of the bytes.
        public init(
            name: String, fileName: String? = nil, contentType: String? = nil, headers: HeaderFields = [:],
            content: Content
        ) {
            self.name = name
            self.fileName = fileName
            self.contentType = contentType ?? (fileName == nil ? nil : Self.defaultFileType)
            self.headers = headers
            self.content = content
        }

        /// The content type of a file by default.
        public static let defaultFileType: String = "application/octet-stream"
    }
}

extension MultipartBody.Part {
    /// The source of the bytes of a part.
    public enum Content: Sendable, Hashable {
        /// A text in UTF-8. ``MultipartBody/Mode/form`` changes its line breaks if the part has no file name.
        case text(String)
        /// Bytes in memory.
        case data(Data)
        /// A regular file, which is read while it is sent.
        case file(URL)
        /// Bytes that are produced while they are sent.
        case stream(RequestBody.Stream)
    }

    /// Returns a field with a text. It has no content type.
    public static func field(_ value: String, name: String) -> Self { Self(name: name, content: .text(value)) }

    /// Returns a part with bytes in memory.
    /// - Parameters:
    ///   - data: The bytes.
    ///   - name: The name of the form field.
    ///   - fileName: The name of the file. If `nil` (the default), the part is a field.
    ///   - contentType: The media type. If `nil` (the default), it is `application/octet-stream` if the part has a file
    ///     name.
    /// - Returns: The part.
    public static func data(
        _ data: Data, name: String, fileName: String? = nil, contentType: String? = nil
    ) -> Self {
        Self(name: name, fileName: fileName, contentType: contentType, content: .data(data))
    }

    /// Returns a part with the content of a file.
    /// - Parameters:
    ///   - url: The URL of a regular file.
    ///   - name: The name of the form field.
    ///   - fileName: The name of the file for the server. If `nil` (the default), it is the last component of the URL's
    ///     path.
    ///   - contentType: The media type. The default is `application/octet-stream`.
    /// - Returns: The part.
    public static func file(
        _ url: URL, name: String, fileName: String? = nil, contentType: String = Self.defaultFileType
    ) -> Self {
        Self(name: name, fileName: fileName ?? url.lastPathComponent, contentType: contentType, content: .file(url))
    }

    /// Returns a part that is produced while it is sent. The sequence is created each time the body is sent.
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - fileName: The name of the file. If `nil` (the default), the part is a field.
    ///   - contentType: The media type. If `nil` (the default), it is `application/octet-stream` if the part has a file
    ///     name.
    ///   - length: The number of bytes. More or fewer bytes are an error. If `nil` (the default), the length of the
    ///     body is unknown.
    ///   - open: Creates the sequence.
    /// - Returns: The part.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        name: String, fileName: String? = nil, contentType: String? = nil, length: Int64? = nil,
        _ open: @escaping @Sendable () -> Chunks
    ) -> Self where Chunks.Element == Data {
        let stream = RequestBody.Stream(length: length, isReplayable: true) { open().makeReader() }
        return Self(name: name, fileName: fileName, contentType: contentType, content: .stream(stream))
    }

    /// Returns a part that can be sent only once. The body cannot be sent again for a redirect or a retry.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        once chunks: Chunks, name: String, fileName: String? = nil, contentType: String? = nil, length: Int64? = nil
    ) -> Self where Chunks.Element == Data {
        let stream = RequestBody.Stream(length: length, isReplayable: false) { chunks.makeReader() }
        return Self(name: name, fileName: fileName, contentType: contentType, content: .stream(stream))
    }
}

extension MultipartBody.Part: CustomStringConvertible, CustomReflectable {
    /// The name and the kind of the content, without the content.
    public var description: String { "\(name.singleLine(limit: 64)): \(content)" }
    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["part": description], displayStyle: .struct) }
}

extension MultipartBody.Part.Content: CustomStringConvertible, CustomReflectable {
    /// The size or the kind of the content.
    public var description: String { "\(body)" }
    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["content": description]) }

    /// Whether the content can be sent again.
    var isReplayable: Bool { if case .stream(let stream) = self { stream.isReplayable } else { true } }

    /// The content as a body.
    var body: RequestBody {
        switch self {
        case .text(let text): .data(Data(text.utf8))
        case .data(let data): .data(data)
        case .file(let url): .file(url)
        case .stream(let stream): .stream(stream)
        }
    }
}
