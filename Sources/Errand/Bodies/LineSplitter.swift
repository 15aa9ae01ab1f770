/// A pure value that splits chunks of bytes into lines.
package struct LineSplitter: Sendable {
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let limit: Int
    private var chunk = Data()
    /// The offset of the next line in the chunk.
    private var start = 0
    /// The start of a line that is not complete.
    private var open = Data()

    package init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// Adds a chunk. Call it after ``next()`` has returned `nil`.
    package mutating func add(_ bytes: Data) {
        chunk = bytes
        start = 0
    }

    /// Returns the next complete line, or `nil` if another chunk is needed.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/bodyTooLarge``.
    package mutating func next() throws(ServiceError) -> String? {
        let rest = chunk.dropFirst(start)
        guard let length = Self.lengthOfLine(in: rest) else {
            // One more byte for a carriage return, which may belong to the line ending.
            guard rest.count <= limit + 1 - open.count else { throw tooLong }
            open.append(rest)
            chunk = Data()
            start = 0
            guard open.count <= limit || open.last == Self.carriageReturn else { throw tooLong }
            return nil
        }
        start += length + 1
        defer { open = Data() }
        let line = open.isEmpty ? rest.prefix(length) : open + rest.prefix(length)
        return try text(line.last == Self.carriageReturn ? line.dropLast() : line)
    }

    /// Returns the text after the last line ending, or `nil` if there is none.
    package mutating func last() -> String? {
        defer { open = Data() }
        return open.isEmpty ? nil : String(decoding: open, as: UTF8.self)
    }

    private func text(_ line: Data) throws(ServiceError) -> String {
        guard line.count <= limit else { throw tooLong }
        return String(decoding: line, as: UTF8.self)
    }

    private var tooLong: ServiceError {
        ServiceError(
            .bodyTooLarge, "expected lines of at most \(limit) bytes, found more: use lines(upTo:) with a larger limit")
    }

    /// Returns the number of bytes before the first line feed, or `nil` if there is none.
    private static func lengthOfLine(in bytes: Data) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let end = memchr(base, Int32(lineFeed), bytes.count) else { return nil }
            return UnsafeRawPointer(end) - base
        }
    }
}
