package import Errand

/// A pure value that splits a `multipart/mixed` body into the contents of its parts (RFC 2046, section 5.1.1).
///
/// A part ends with the delimiter after it, so that it is available before the server sends the next one. A line may end
/// with LF instead of CRLF, because JSON contains no line that starts with two hyphens. Each byte is examined a fixed
/// number of times.
package struct MultipartMixedSplitter: Sendable {
    private enum Phase {
        /// Before the first delimiter.
        case preamble
        /// After the boundary of a delimiter, in the same line.
        case delimiter
        case part
        /// After the closing delimiter.
        case end
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let hyphen = UInt8(ascii: "-")

    /// Two hyphens and the boundary.
    private let delimiter: [UInt8]
    private let limit: Int
    private var phase = Phase.preamble
    /// The bytes that are still needed. The first delimiter needs no line feed before it, so one is added.
    private var bytes: [UInt8] = [Self.lineFeed]
    /// The offset of the open part: of the line feed that ends its delimiter.
    private var start = 0
    /// The offset of the next byte to examine.
    private var index = 0
    private var total = 0
    /// The number of parts that were returned.
    package private(set) var count: Int = 0

    /// Creates a splitter.
    /// - Parameters:
    ///   - boundary: The boundary of the `Content-Type` header.
    ///   - limit: The maximum number of bytes of the body.
    package init(boundary: String, limit: Int) {
        (delimiter, self.limit) = (Array("--\(boundary)".utf8), limit)
    }

    /// Whether the first delimiter was found.
    package var hasDelimiter: Bool { phase != .preamble }
    /// Whether the closing delimiter was found.
    package var isAtEnd: Bool { phase == .end }

    /// Adds a chunk. Call it after ``next()`` has returned `nil`.
    package mutating func add(_ chunk: Data) {
        total += chunk.count
        guard phase != .end, total <= limit else { return }
        if start > 0 {
            bytes.removeSubrange(..<start)
            (start, index) = (0, index - start)
        }
        bytes.append(contentsOf: chunk)
    }

    /// Returns the content of the next complete part, without its headers. Returns `nil` if another chunk is needed, or
    /// after the last part.
    /// - Throws: ``/Errand/ServiceError`` if the body is malformed or too large.
    package mutating func next() throws(ServiceError) -> Data? {
        guard total <= limit else { throw .bodyTooLarge(limit) }
        while true {
            switch phase {
            case .end: return nil
            case .delimiter:
                guard try endDelimiter() else { return nil }
            case .preamble:
                guard let end = nextDelimiter() else {
                    start = index
                    return nil
                }
                beginDelimiter(at: end)
            case .part:
                guard let end = nextDelimiter() else { return nil }
                let part = bytes[start..<end]
                beginDelimiter(at: end)
                count += 1
                return try content(of: part)
            }
        }
    }

    private mutating func beginDelimiter(at lineFeed: Int) {
        phase = .delimiter
        index = lineFeed + 1 + delimiter.count
        start = index
    }

    /// Returns the offset of the line feed before the next delimiter, or `nil` if another chunk is needed.
    private mutating func nextDelimiter() -> Int? {
        let delimiter = delimiter
        let (found, next) = bytes.withUnsafeBytes { [index] bytes -> (Int?, Int) in
            var index = index
            while index < bytes.count, let base = bytes.baseAddress {
                guard let found = memchr(base + index, Int32(Self.lineFeed), bytes.count - index) else { break }
                let lineFeed = UnsafeRawPointer(found) - base
                let line = bytes[(lineFeed + 1)...].prefix(delimiter.count)
                if line.elementsEqual(delimiter) { return (lineFeed, lineFeed) }
                if line.count < delimiter.count, delimiter.starts(with: line) { return (nil, lineFeed) }
                index = lineFeed + 1
            }
            return (nil, bytes.count)
        }
        index = next
        return found
    }

    /// Reads the rest of a delimiter: two hyphens, or white space and a line ending. Returns `false` if another chunk is
    /// needed.
    private mutating func endDelimiter() throws(ServiceError) -> Bool {
        guard index < bytes.count else { return false }
        if bytes[index] == Self.hyphen, index == start {
            guard index + 1 < bytes.count else { return false }
            guard bytes[index + 1] == Self.hyphen else { throw malformed(bytes[index + 1]) }
            (phase, bytes) = (.end, [])
            return true
        }
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
        var end = index
        if end < bytes.count, bytes[end] == Self.carriageReturn { end += 1 }
        guard end < bytes.count else { return false }
        guard bytes[end] == Self.lineFeed else { throw malformed(bytes[end]) }
        (phase, start, index) = (.part, end, end)
        return true
    }

    private func malformed(_ byte: UInt8) -> ServiceError {
        ServiceError(
            .badResponse, "expected a line ending after the delimiter of part \(count + 1), found byte \(byte)")
    }

    /// Returns the content of a part, which begins with the line feed of its delimiter.
    private func content(of part: ArraySlice<UInt8>) throws(ServiceError) -> Data {
        var rest = part
        while let end = rest.firstIndex(of: Self.lineFeed) {
            rest = rest[(end + 1)...]
            if rest.first == Self.lineFeed { return Data(rest.dropFirst()) }
            if rest.starts(with: [Self.carriageReturn, Self.lineFeed]) { return Data(rest.dropFirst(2)) }
        }
        throw ServiceError(.badResponse, "expected a blank line after the headers of part \(count), found none")
    }
}
