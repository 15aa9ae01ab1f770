/// Serializes headers and chunks.
extension [UInt8] {
    mutating func appendLineEnd() {
        append(.carriageReturn)
        append(.lineFeed)
    }

    /// Appends text with line breaks and NUL replaced by spaces, so that a value cannot start another header.
    mutating func appendHeaderText(_ text: String) {
        let start = count
        append(contentsOf: text.utf8)
        for index in start..<count
        where self[index] == .carriageReturn || self[index] == .lineFeed || self[index] == 0 {
            self[index] = .space
        }
    }

    mutating func append(header: LoopbackHeader) {
        appendHeaderText(header.name)
        append(.colon)
        append(.space)
        appendHeaderText(header.value)
        appendLineEnd()
    }

    mutating func append(decimal number: Int) {
        guard number < 0 || number > 9 else { return append(0x30 + UInt8(number)) }
        append(contentsOf: String(number).utf8)
    }

    /// The size line of a chunk.
    static func chunkSize(_ count: Int) -> [UInt8] {
        Array(String(count, radix: 16).utf8) + [.carriageReturn, .lineFeed]
    }

    /// The last chunk, the trailer section and the final empty line of a chunked body.
    static func lastChunk(trailers: [LoopbackHeader]) -> [UInt8] {
        var bytes: [UInt8] = [0x30, .carriageReturn, .lineFeed]
        for trailer in trailers { bytes.append(header: trailer) }
        bytes.appendLineEnd()
        return bytes
    }
}
