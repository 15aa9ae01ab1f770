/// The SHA-256 hash function (FIPS 180-4, section 6.2), for challenges and keys. Foundation does not provide it on
/// Linux.
package struct SHA256: Sendable {
    private var state: [UInt32] = Self.initial
    /// The bytes that do not fill a block yet: fewer than 64.
    private var rest: [UInt8] = []
    private var length: UInt64 = 0

    /// Creates a hash without input.
    package init() {}

    /// Returns the hash of bytes: 32 bytes.
    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// Adds bytes to the hash.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            rest.append(byte)
            length &+= 1
            if rest.count == 64 { compress() }
        }
    }

    /// Returns the hash of all added bytes. Do not add bytes afterwards.
    package mutating func finish() -> [UInt8] {
        let bits = length &* 8
        rest.append(0x80)
        if rest.count > 56 { pad(to: 64) }
        pad(to: 56)
        update((0..<8).reversed().map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) })
        return state.flatMap { word in (0..<4).reversed().map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    private mutating func pad(to count: Int) {
        while rest.count < count { rest.append(0) }
        if rest.count == 64 { compress() }
    }

    private mutating func compress() {
        let schedule = schedule()
        rest.removeAll(keepingCapacity: true)
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let sum1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sum1 &+ choice &+ Self.constants[round] &+ schedule[round]
            let sum0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    private func schedule() -> [UInt32] {
        var words = stride(from: 0, to: 64, by: 4).map { index in
            rest[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (late, early) = (words[index - 2], words[index - 15])
            let small1 = late.rotated(17) ^ late.rotated(19) ^ late >> 10
            let small0 = early.rotated(7) ^ early.rotated(18) ^ early >> 3
            words.append(small1 &+ words[index - 7] &+ small0 &+ words[index - 16])
        }
        return words
    }
}

extension SHA256 {
    /// The first 32 bits of the fractional parts of the square roots of the first eight primes (section 5.3.3).
    private static let initial: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
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
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
