import Errand

/// Decodes content codings (RFC 9110, section 8.4).
extension WireReader {
    mutating func decoded(_ body: [UInt8], _ codings: [[UInt8]]) throws(WireFlaw) -> [UInt8] {
        let names = codings.map(\.lowercasedText).filter { !["", "identity", "none"].contains($0) }
        guard names.allSatisfy(["gzip", "x-gzip", "deflate"].contains) else {
            freedoms.insert(.unknownCoding)
            return body
        }
        var body = body
        for name in names.reversed() { body = try Self.decode(body, name, &freedoms) }
        return body
    }

    static func decode(
        _ bytes: [UInt8], _ name: String, _ freedoms: inout Set<WireExpectation.Freedom>
    ) throws(WireFlaw) -> [UInt8] {
        guard !bytes.isEmpty else {
            freedoms.insert(.emptyCoded)
            return []
        }
        var reader = CodedReader(bytes)
        let body = name == "deflate" ? try reader.zlib() : try reader.gzip()
        if reader.position < bytes.count { freedoms.insert(.garbage) }
        return body
    }
}

/// Decodes gzip (RFC 1952) and zlib (RFC 1950) without a decompressor.
///
/// The mutator writes stored blocks and a few known compressed blocks. Anything else counts as corrupt: with
/// decompression, the checksum would detect the corruption in all but one of four billion cases.
struct CodedReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Decodes gzip. The content consists of all members in order (RFC 1952, section 2.2). Garbage may follow them.
    mutating func gzip() throws(WireFlaw) -> [UInt8] {
        var body = try member()
        while bytes[position...].starts(with: [0x1F, 0x8B]) { body += try member() }
        return body
    }

    private mutating func member() throws(WireFlaw) -> [UInt8] {
        let head = try take(10)
        guard head.starts(with: [0x1F, 0x8B, 8]) else { throw WireFlaw("the body is not gzip") }
        let flags = head[head.startIndex + 3]
        guard flags & 0xE0 == 0 else { throw WireFlaw("gzip with reserved flags") }
        let start = position - 10
        if flags & 4 != 0 {
            let length = try take(2)
            _ = try take(Int(littleEndian: length))
        }
        if flags & 8 != 0 { try skipText() }
        if flags & 16 != 0 { try skipText() }
        if flags & 2 != 0 {
            let expected = UInt16(truncatingIfNeeded: Checksum.crc32(bytes[start..<position]))
            guard Int(littleEndian: try take(2)) == Int(expected) else { throw WireFlaw("gzip with a corrupt header") }
        }
        let body = try inflated()
        guard Int(littleEndian: try take(4)) == Int(Checksum.crc32(body[...])),
            Int(littleEndian: try take(4)) == body.count
        else { throw WireFlaw("gzip with a wrong checksum or size") }
        return body
    }

    mutating func zlib() throws(WireFlaw) -> [UInt8] {
        let head = Array(try take(2))
        guard head[0] & 0x0F == 8, head[0] >> 4 < 8, (Int(head[0]) << 8 | Int(head[1])) % 31 == 0, head[1] & 0x20 == 0
        else { throw WireFlaw("the body is not zlib") }
        let body = try inflated()
        let sum = Checksum.adler32(body[...])
        guard Array(try take(4)) == sum.bigEndianBytes else { throw WireFlaw("zlib with a wrong checksum") }
        return body
    }

    private mutating func inflated() throws(WireFlaw) -> [UInt8] {
        if let sample = DeflateSample.all.first(where: { $0.opens(bytes[position...]) }) {
            position += sample.deflated.count
            return sample.plain
        }
        var body: [UInt8] = []
        while true {
            let first = try take(1)[position - 1]
            // A stored block starts at a byte boundary here, because only stored blocks precede it.
            guard first & 6 == 0 else { throw WireFlaw("the compressed body is corrupt") }
            let length = Int(littleEndian: try take(2))
            guard Int(littleEndian: try take(2)) == ~length & 0xFFFF else {
                throw WireFlaw("the compressed body is corrupt")
            }
            body += try take(length)
            if first & 1 == 1 { return body }
        }
    }

    private mutating func skipText() throws(WireFlaw) {
        while try take(1).first != 0 {}
    }

    private mutating func take(_ count: Int) throws(WireFlaw) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw WireFlaw("the compressed body is truncated") }
        defer { position += count }
        return bytes[position..<position + count]
    }
}

extension Int {
    fileprivate init(littleEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
