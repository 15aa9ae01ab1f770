/// A pure value that splits a body into JSON texts: lines (JSON Lines and NDJSON), or a JSON text sequence (RFC 7464).
package struct JSONValueSplitter: JSONTextSplitter {
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

    private let format: Format
    private let limit: Int
    private var scanner: LineScanner
    private var count = 0

    package init(_ format: Format, limit: Int) {
        (self.format, self.limit) = (format, max(0, limit))
        scanner = LineScanner(.byte(format == .lines ? UInt8(ascii: "\n") : 0x1E))
    }

    package mutating func add(_ bytes: Data) {
        scanner.add(bytes)
    }

    package mutating func next() throws(ServiceError) -> JSONText? {
        let limit = limit
        while let line = scanner.next({ $0.count <= limit ? Data($0) : nil }) {
            guard let line else { throw JSONText.tooLarge(limit) }
            if let text = text(line) { return text }
        }
        guard scanner.openCount <= limit else { throw JSONText.tooLarge(limit) }
        return nil
    }

    package mutating func last() -> JSONText? {
        text(Data(scanner.takeRest()))
    }

    package func name(of text: JSONText) -> String {
        format == .lines ? "line \(text.number)" : "element \(text.number)"
    }

    private mutating func text(_ bytes: Data) -> JSONText? {
        let isBlank = bytes.allSatisfy { [0x20, 0x09, 0x0D, 0x0A].contains($0) }
        if format == .lines || !isBlank { count += 1 }
        guard !isBlank, let first = bytes.first, let last = bytes.last else { return nil }
        // Without white space after it, a number or a literal can be the start of another one.
        let isDelimited = "{[\"".utf8.contains(first) || last <= 0x20
        return JSONText(bytes: bytes, number: count, isTruncated: format == .sequence && !isDelimited)
    }
}
