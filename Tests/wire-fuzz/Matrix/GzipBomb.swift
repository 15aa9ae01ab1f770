import Foundation

/// Gzip data of many zeros, made without a compressor.
///
/// It consists of one block with dynamic codes (RFC 1951, section 3.2.7). The length 258 has a code of one bit, and its
/// distance has another. Both bits are 0, so the compressed bytes are zeros, too. Each byte expands to 1,032 zeros.
enum GzipBomb {
    /// Returns gzip data of about this number of zeros. The last repetition may exceed the number by 257.
    static func bytes(zeros count: Int) -> Data {
        var bits = Bits()
        bits.append([1, 0, 1])  // the last block, dynamic
        bits.append(29, width: 5)  // 286 codes for literals and lengths
        bits.append(0, width: 5)  // one code for distances
        bits.append(14, width: 4)  // the lengths of 18 codes for code lengths: 18 has one bit, 2 and 1 have two
        for length in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] { bits.append(length, width: 3) }
        let (two, one, zeros) = ([1, 1], [1, 0], [0])
        bits.append(two)  // the literal 0
        for run in [138, 117] {
            bits.append(zeros)
            bits.append(run - 11, width: 7)
        }
        bits.append(two)  // the end of the block
        bits.append(zeros)
        bits.append(28 - 11, width: 7)
        bits.append(one)  // the length 258
        bits.append(one)  // the distance 1
        bits.append([1, 0])  // the literal 0, itself
        bits.appendZeros(2 * ((max(count, 1) + 256) / 258))
        bits.append([1, 1])
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        // A session that enforces its limit does not reach the checksum.
        return Data(head) + bits.bytes + Data(count: 8)
    }

    private struct Bits {
        private(set) var bytes = Data()
        private var count = 0

        mutating func append(_ bits: [Int]) {
            for bit in bits {
                if count % 8 == 0 { bytes.append(0) }
                bytes[bytes.count - 1] |= UInt8(bit) << UInt8(count % 8)
                count += 1
            }
        }

        /// Appends a number, lowest bit first.
        mutating func append(_ number: Int, width: Int) {
            append((0..<width).map { number >> $0 & 1 })
        }

        mutating func appendZeros(_ more: Int) {
            count += more
            bytes.append(Data(count: (count + 7) / 8 - bytes.count))
        }
    }
}
