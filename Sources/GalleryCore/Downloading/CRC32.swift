internal import CGalleryCore
package import Errand

/// The checksum of PNG's chunks: CRC-32 of ISO 3309, as zlib counts it (PNG, annex D).
///
/// Every picture passes through here, and byte by byte that takes longer than the network on one machine: the processor's own
/// instructions do 64 or 256 bytes at a time. Where it has none, 16 bytes are taken at a time, each by a table of its own, and
/// that at three places at once, none of which waits for another's result.
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

    /// How bytes are taken, many at once.
    package enum Way: Sendable {
        /// By the processor's own instructions, of which one takes so many bytes.
        case folding(UInt32)
        /// By tables.
        case tables

        /// The ways of this processor, the quickest first.
        package static let here: [Self] = [64, 16].filter { $0 <= gallery_fold_width() }.map(Self.folding) + [.tables]
    }

    private static let quickest = Way.here[0]

    package static func checksum(_ data: Data) -> UInt32 {
        checksum(data, quickest)
    }

    package static func checksum(_ data: Data, _ way: Way) -> UInt32 {
        data.withUnsafeBytes { bytes in
            tables.withUnsafeBufferPointer { tables in
                var result: UInt32 = 0xFFFF_FFFF
                let start =
                    switch way {
                    case .folding(let width): fold(bytes, width, &result, tables)
                    case .tables: takeThirds(of: bytes, &result, tables)
                    }
                for byte in bytes[start...] {
                    result = tables[Int(UInt8(truncatingIfNeeded: result) ^ byte)] ^ (result >> 8)
                }
                return ~result
            }
        }
    }

    /// Takes as many bytes as the processor's own instructions can; how many.
    private static func fold(
        _ bytes: UnsafeRawBufferPointer, _ width: UInt32, _ result: inout UInt32, _ tables: UnsafeBufferPointer<UInt32>
    ) -> Int {
        let count = bytes.count / 64 * 64
        guard count > 0, let start = bytes.baseAddress else { return 0 }
        withUnsafeTemporaryAllocation(byteCount: step, alignment: step) { folded in
            guard let place = folded.baseAddress else { return }
            gallery_fold(width, start, count, result, place)
            result = advance(0, over: UnsafeRawBufferPointer(folded), at: 0, tables)
        }
        return count
    }

    /// Takes as many bytes as are three times as many steps; how many.
    private static func takeThirds(
        of bytes: UnsafeRawBufferPointer, _ result: inout UInt32, _ tables: UnsafeBufferPointer<UInt32>
    ) -> Int {
        let part = bytes.count / (3 * step) * step
        var (second, third): (UInt32, UInt32) = (0, 0)
        for place in stride(from: 0, to: part, by: step) {
            result = advance(result, over: bytes, at: place, tables)
            second = advance(second, over: bytes, at: part + place, tables)
            third = advance(third, over: bytes, at: 2 * part + place, tables)
        }
        let shift = power(ofBytes: part)
        result = product(product(result, shift) ^ second, shift) ^ third
        return 3 * part
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
