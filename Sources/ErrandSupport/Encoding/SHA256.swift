/// The SHA-256 hash function (FIPS 180-4, section 6.2), for digests, challenges and keys. Foundation does not provide it
/// on Linux.
package struct SHA256: Sendable {
    private static let blockLength = 64

    private var state = State()
    /// The bytes that do not fill a block yet: fewer than 64.
    private var rest: [UInt8] = []
    private var length: UInt64 = 0

    /// Creates a hash without input.
    package init() {
        rest.reserveCapacity(Self.blockLength)
    }

    /// Returns the hash of bytes: 32 bytes.
    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// Adds bytes to the hash. Contiguous bytes are not copied.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { add(UnsafeRawBufferPointer($0)) }
        if isDone == nil { Array(bytes).withUnsafeBytes { add($0) } }
    }

    /// Returns the hash of all added bytes. Do not add bytes afterwards.
    package mutating func finish() -> [UInt8] {
        let bits = length &* 8
        let zeros = (2 * Self.blockLength - 9 - rest.count) % Self.blockLength
        var padding = [UInt8](repeating: 0, count: zeros + 9)
        padding[0] = 0x80
        for index in 0..<8 { padding[zeros + 1 + index] = UInt8(truncatingIfNeeded: bits >> (56 - 8 * index)) }
        update(padding)
        var hash: [UInt8] = []
        hash.reserveCapacity(32)
        for word in state.words {
            for shift in [24, 16, 8, 0] { hash.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return hash
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        length &+= UInt64(bytes.count)
        var start = 0
        if !rest.isEmpty {
            start = min(Self.blockLength - rest.count, bytes.count)
            rest.append(contentsOf: bytes.prefix(start))
            guard rest.count == Self.blockLength else { return }
            rest.withUnsafeBytes { state.compress($0) }
            rest.removeAll(keepingCapacity: true)
        }
        let end = bytes.count - (bytes.count - start) % Self.blockLength
        state.compress(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        rest.append(contentsOf: bytes[end...])
    }
}

extension SHA256 {
    /// The eight working variables between blocks. The initial values are the first 32 bits of the fractional parts of
    /// the square roots of the first eight primes (section 5.3.3).
    private struct State: Sendable {
        private var a: UInt32 = 0x6A09_E667
        private var b: UInt32 = 0xBB67_AE85
        private var c: UInt32 = 0x3C6E_F372
        private var d: UInt32 = 0xA54F_F53A
        private var e: UInt32 = 0x510E_527F
        private var f: UInt32 = 0x9B05_688C
        private var g: UInt32 = 0x1F83_D9AB
        private var h: UInt32 = 0x5BE0_CD19

        var words: [UInt32] { [a, b, c, d, e, f, g, h] }

        /// Adds complete blocks.
        mutating func compress(_ blocks: UnsafeRawBufferPointer) {
            SHA256.constants.withUnsafeBufferPointer { constants in
                withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                    for start in stride(from: 0, to: blocks.count, by: 64) {
                        Self.fill(schedule, blocks, start, constants)
                        let before = self
                        for round in stride(from: 0, to: 64, by: 8) {
                            Self.step(a, b, c, &d, e, f, g, &h, schedule[round])
                            Self.step(h, a, b, &c, d, e, f, &g, schedule[round &+ 1])
                            Self.step(g, h, a, &b, c, d, e, &f, schedule[round &+ 2])
                            Self.step(f, g, h, &a, b, c, d, &e, schedule[round &+ 3])
                            Self.step(e, f, g, &h, a, b, c, &d, schedule[round &+ 4])
                            Self.step(d, e, f, &g, h, a, b, &c, schedule[round &+ 5])
                            Self.step(c, d, e, &f, g, h, a, &b, schedule[round &+ 6])
                            Self.step(b, c, d, &e, f, g, h, &a, schedule[round &+ 7])
                        }
                        a &+= before.a
                        b &+= before.b
                        c &+= before.c
                        d &+= before.d
                        e &+= before.e
                        f &+= before.f
                        g &+= before.g
                        h &+= before.h
                    }
                }
            }
        }

        /// Expands a block to the 64 words of the schedule, each with the constant of its round.
        @inline(__always)
        private static func fill(
            _ schedule: UnsafeMutableBufferPointer<UInt32>, _ blocks: UnsafeRawBufferPointer, _ start: Int,
            _ constants: UnsafeBufferPointer<UInt32>
        ) {
            for index in 0..<16 {
                schedule[index] = UInt32(
                    bigEndian: blocks.loadUnaligned(fromByteOffset: start &+ 4 &* index, as: UInt32.self))
            }
            for index in 16..<64 {
                let (late, early) = (schedule[index &- 2], schedule[index &- 15])
                let small1 = late.rotated(17) ^ late.rotated(19) ^ late >> 10
                let small0 = early.rotated(7) ^ early.rotated(18) ^ early >> 3
                schedule[index] = small1 &+ schedule[index &- 7] &+ small0 &+ schedule[index &- 16]
            }
            for index in 0..<64 { schedule[index] &+= constants[index] }
        }

        /// One round. The caller rotates the variables, so that no value moves.
        @inline(__always)
        private static func step(
            _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
            _ h: inout UInt32, _ word: UInt32
        ) {
            let sum1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let first = h &+ sum1 &+ ((e & f) ^ (~e & g)) &+ word
            let sum0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
            d &+= first
            h = first &+ sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
        }
    }

    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}

extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
}
