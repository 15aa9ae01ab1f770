/// A pure value that splits a body into JSON texts: lines (JSON Lines and NDJSON), or a JSON text sequence (RFC 7464).
package struct JSONValueSplitter: Sendable {
    /// The format of a body.
    package enum Format: Sendable {
        /// A text on each line. Blank lines are ignored.
        case lines
        /// A record separator before each text.
        case sequence

        /// Selects the format by the media type of a response.
        package init(_ head: ResponseHead) {
            let type = head.mediaType ?? ""
            self = type == "application/json-seq" || type.hasSuffix("+json-seq") ? .sequence : .lines
        }
    }

    /// A JSON text.
    package struct Text: Sendable, Hashable {
        /// The bytes, without the line ending or the record separator.
        package let bytes: Data
        /// The number of the line or of the element, from 1.
        package let number: Int
        /// Whether the text may be truncated (RFC 7464, section 2.4).
        package var isTruncated = false
    }

    private let format: Format
    private let limit: Int
    private var scanner: LineScanner
    private var count = 0

    package init(_ format: Format, limit: Int) {
        (self.format, self.limit) = (format, max(0, limit))
        scanner = LineScanner(.byte(format == .lines ? UInt8(ascii: "\n") : 0x1E))
    }

    /// Adds a chunk. Call it after ``next()`` has returned `nil`.
    package mutating func add(_ bytes: Data) {
        scanner.add(bytes)
    }

    /// Returns the next complete text, or `nil` if another chunk is needed.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/bodyTooLarge``.
    package mutating func next() throws(ServiceError) -> Text? {
        let limit = limit
        while let line = scanner.next({ $0.count <= limit ? Data($0) : nil }) {
            guard let line else { throw tooLarge }
            if let text = text(line) { return text }
        }
        guard scanner.openCount <= limit else { throw tooLarge }
        return nil
    }

    /// Returns the text at the end of the body, or `nil` if there is none.
    package mutating func last() -> Text? {
        text(Data(scanner.takeRest()))
    }

    /// A description of a text, for error messages.
    package func name(of text: Text) -> String {
        format == .lines ? "line \(text.number)" : "element \(text.number)"
    }

    private mutating func text(_ bytes: Data) -> Text? {
        let isBlank = bytes.allSatisfy { [0x20, 0x09, 0x0D, 0x0A].contains($0) }
        if format == .lines || !isBlank { count += 1 }
        guard !isBlank, let first = bytes.first, let last = bytes.last else { return nil }
        // Without white space after it, a number or a literal can be the start of another one.
        let isDelimited = "{[\"".utf8.contains(first) || last <= 0x20
        return Text(bytes: bytes, number: count, isTruncated: format == .sequence && !isDelimited)
    }

    private var tooLarge: ServiceError {
        ServiceError(
            .bodyTooLarge,
            "expected values of at most \(limit) bytes, found more: use values(_:as:limit:) with a larger limit")
    }
}
