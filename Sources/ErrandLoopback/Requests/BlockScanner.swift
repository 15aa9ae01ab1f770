import Foundation

/// Finds the empty line that ends a block of lines. Scans each byte only once, even if the bytes arrive in fragments.
struct BlockScanner {
    private var position = 0
    private var lineStart = 0

    /// The length of the block including the empty line, or `nil` if the block is incomplete.
    /// - Throws: ``Rejection`` if a line ends without a carriage return.
    mutating func end(in bytes: UnsafeRawBufferPointer) throws(Rejection) -> Int? {
        while let lineEnd = Self.lineFeed(in: bytes, from: position) {
            guard lineEnd > lineStart, bytes[lineEnd - 1] == .carriageReturn else { throw .badRequest }
            position = lineEnd + 1
            let isEmptyLine = lineEnd - 1 == lineStart
            lineStart = position
            if isEmptyLine { return position }
        }
        position = bytes.count
        return nil
    }

    private static func lineFeed(in bytes: UnsafeRawBufferPointer, from position: Int) -> Int? {
        guard position < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + position, Int32(UInt8.lineFeed), bytes.count - position)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
