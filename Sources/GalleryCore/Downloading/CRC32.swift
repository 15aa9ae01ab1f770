package import Errand

/// The checksum of PNG's chunks: CRC-32 of ISO 3309, as zlib counts it (PNG, annex D).
///
/// It takes 16 bytes at a time, each by a table of its own, and does so at three places at once, none of which waits for
/// another's result: every picture passes through here, and byte by byte it takes longer than the network on one machine.
package enum CRC32 {
    private static let step = 16

    /// The n-th 256 entries say what a byte comes to when n more bytes have passed.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = (0..<256).map { afterBits(of: UInt32($0)) }
        for place in 256..<256 * step {
            let before: UInt32 = tables[place - 256]
            tables.append(tables[Int(before & 0xFF)] ^ (before >> 8))
        }
        return tables
    }()

    private static func afterBits(of byte: UInt32) -> UInt32 {
        (0..<8).reduce(byte) { value, _ in afterBit(of: value) }
    }

    @inline(__always)
    private static func afterBit(of value: UInt32) -> UInt32 {
        value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ (value >> 1)
    }

    package static func checksum(_ data: Data) -> UInt32 {
        data.withUnsafeBytes { bytes in
            tables.withUnsafeBufferPointer { tables in
                let part = bytes.count / (3 * step) * step
                var (result, second, third): (UInt32, UInt32, UInt32) = (0xFFFF_FFFF, 0, 0)
                for place in stride(from: 0, to: part, by: step) {
                    result = advance(result, over: bytes, at: place, tables)
                    second = advance(second, over: bytes, at: part + place, tables)
                    third = advance(third, over: bytes, at: 2 * part + place, tables)
                }
                let shift = power(ofBytes: part)
                result = product(product(result, shift) ^ second, shift) ^ third
                for byte in bytes[(3 * part)...] {
                    result = tables[Int(UInt8(truncatingIfNeeded: result) ^ byte)] ^ (result >> 8)
                }
                return ~result
            }
        }
    }

    /// The product of two polynomials modulo that of the checksum, whose coefficients stand in reverse: the highest bit is
    /// that of x to the power of 0.
    private static func product(_ one: UInt32, _ other: UInt32) -> UInt32 {
        var (result, shifted): (UInt32, UInt32) = (0, other)
        for bit in (0..<32).reversed() {
            if one >> UInt32(bit) & 1 == 1 { result ^= shifted }
            shifted = afterBit(of: shifted)
        }
        return result
    }

    /// What a checksum is multiplied by when so many bytes of zero pass: x to the power of their bits.
    private static func power(ofBytes count: Int) -> UInt32 {
        var (result, square, rest): (UInt32, UInt32, Int) = (0x8000_0000, 0x0080_0000, count)
        while rest > 0 {
            if rest & 1 == 1 { result = product(result, square) }
            square = product(square, square)
            rest >>= 1
        }
        return result
    }

    /// What a checksum comes to after 16 bytes, the first of which have the longest way.
    @inline(__always)
    private static func advance(
        _ checksum: UInt32, over bytes: UnsafeRawBufferPointer, at place: Int, _ tables: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        var result: UInt32 = 0
        for part in 0..<4 {
            var word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 4 * part, as: UInt32.self))
            if part == 0 { word ^= checksum }
            for byte in 0..<4 {
                let table: Int = step - 1 - (4 * part + byte)
                result ^= tables[256 * table + Int(word & 0xFF)]
                word >>= 8
            }
        }
        return result
    }
}
