/// A pure value that splits chunks of bytes into lines of text.
package struct LineSplitter: Sendable {
    private let limit: Int
    private var scanner = LineScanner(.byte(UInt8(ascii: "\n")))

    package init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// Adds a chunk. Call it after ``next()`` has returned `nil`.
    package mutating func add(_ bytes: Data) {
        scanner.add(bytes)
    }

    /// Returns the next complete line, or `nil` if another chunk is needed.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/bodyTooLarge``.
    package mutating func next() throws(ServiceError) -> String? {
        let limit = limit
        guard let line = scanner.next({ Self.text($0, upTo: limit) }) else {
            // One more byte for a carriage return, which may belong to the line ending.
            let excess = scanner.openCount - limit
            guard excess <= 0 || (excess == 1 && scanner.endsWithCarriageReturn) else { throw tooLong }
            return nil
        }
        guard let line else { throw tooLong }
        return line
    }

    /// Returns the text after the last line ending, or `nil` if there is none.
    package mutating func last() -> String? {
        let rest = scanner.takeRest()
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }

    private static func text(_ line: UnsafeRawBufferPointer, upTo limit: Int) -> String? {
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
        return line.count <= limit ? String(decoding: line, as: UTF8.self) : nil
    }

    private var tooLong: ServiceError {
        ServiceError(
            .bodyTooLarge, "expected lines of at most \(limit) bytes, found more: use lines(upTo:) with a larger limit")
    }
}
