/// Encodes gzip and zlib with stored blocks, so that no compressor is needed.
package enum Compressed {
    /// Creates one gzip member. The `flags` select the optional header fields (RFC 1952, section 2.3.1).
    package static func gzip(_ plain: [UInt8], flags: UInt8 = 0, blockSize: Int = 65_535) -> [UInt8] {
        var head: [UInt8] = [0x1F, 0x8B, 8, flags & 0x1E, 0, 0, 0, 0, 0, 255]
        if flags & 4 != 0 { head += [4, 0, 0x41, 0x70, 0, 0] }
        if flags & 8 != 0 { head += [UInt8](wire: "name.txt\0") }
        if flags & 16 != 0 { head += [UInt8](wire: "a comment\0") }
        if flags & 2 != 0 { head += Checksum.crc32(head[...]).littleEndianBytes.prefix(2) }
        let size = UInt32(truncatingIfNeeded: plain.count)
        return head + deflated(plain, blockSize) + Checksum.crc32(plain[...]).littleEndianBytes + size.littleEndianBytes
    }

    /// Encodes the content coding `deflate`, which is the zlib format (RFC 9110, section 8.4.1.2).
    package static func zlib(_ plain: [UInt8], blockSize: Int = 65_535) -> [UInt8] {
        [0x78, 0x01] + deflated(plain, blockSize) + Checksum.adler32(plain[...]).bigEndianBytes
    }

    private static func deflated(_ plain: [UInt8], _ blockSize: Int) -> [UInt8] {
        if let sample = DeflateSample.all.first(where: { $0.plain == plain }) { return sample.deflated }
        let size = min(max(blockSize, 1), 65_535)
        var bytes: [UInt8] = []
        var rest = plain[...]
        repeat {
            let block = rest.prefix(size)
            rest = rest.dropFirst(size)
            let length = UInt16(block.count)
            bytes.append(rest.isEmpty ? 1 : 0)
            for word in [length, ~length] { bytes += [UInt8(word & 0xFF), UInt8(word >> 8)] }
            bytes += block
        } while !rest.isEmpty
        return bytes
    }
}
