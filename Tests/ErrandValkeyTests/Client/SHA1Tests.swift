import ErrandSupport
import ErrandValkey
import Foundation
import Testing

/// The vectors of FIPS 180 and RFC 3174, and lengths at the ends of a block.
@Suite struct SHA1Tests {
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        (String(repeating: "a", count: 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        (String(repeating: "01234567", count: 80), "dea356a2cddd90c7a7ecedc5ebb563934f460452"),
    ])
    func `published vectors have their digests`(text: String, digest: String) {
        #expect(SHA1.hash(Data(text.utf8)).hexadecimal == digest)
    }

    @Test(arguments: [
        (55, "c1c8bbdc22796e28c0e15163d20899b65621d65a"), (56, "c2db330f6083854c99d4b5bfb6e8f29f201be699"),
        (63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5"), (64, "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
    ])
    func `texts that fill a block have their digests`(count: Int, digest: String) {
        #expect(SHA1.hash(Data(repeating: UInt8(ascii: "a"), count: count)).hexadecimal == digest)
    }
}
