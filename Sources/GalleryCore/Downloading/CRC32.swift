package import Errand

/// The checksum of PNG's chunks: CRC-32 of ISO 3309, as zlib counts it (PNG, annex D).
package enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ (value >> 1) }
    }

    package static func checksum(_ data: Data) -> UInt32 {
        let result = data.withUnsafeBytes { bytes in
            table.withUnsafeBufferPointer { table in
                bytes.reduce(0xFFFF_FFFF as UInt32) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
            }
        }
        return ~result
    }
}
