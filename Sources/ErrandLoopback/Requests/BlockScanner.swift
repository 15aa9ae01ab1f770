import Foundation

/// Finds the empty line that ends a block of lines, looking at each byte once however the bytes arrive.
struct BlockScanner {
    private var position = 0
    private var lineStart = 0

    /// The length of the block, with the empty line; `nil` while it has not arrived.
    /// - Throws: ``Rejection`` when a line ends without a carriage return.
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
