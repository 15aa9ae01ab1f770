import ErrandSupport
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SHA256Tests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(.enabled(if: TestEnvironment.vectors != nil, "ERRAND_VECTORS is not set"))
    func `the published examples have the expected hashes`() throws {
        struct Examples: Decodable {
            struct Hash: Decodable {
                let input: String
                let hex: String
            }
            let fips180_sha256: [Hash]
        }
        let folder = try #require(TestEnvironment.vectors)
        let examples = try JSONDecoder().decode(
            Examples.self, from: Data(contentsOf: folder.appending(path: "rfc/rfc-examples.json")))
        #expect(examples.fips180_sha256.count == 3)
        for example in examples.fips180_sha256 { #expect(hex(SHA256.hash(example.input.utf8)) == example.hex) }
    }

    @Test func `a million letters in uneven chunks have the expected hash`() {
        // FIPS 180-2, appendix B.3.
        var hash = SHA256()
        var left = 1_000_000
        var part = 1
        while left > 0 {
            hash.update(repeatElement(UInt8(ascii: "a"), count: min(part, left)))
            left -= min(part, left)
            part = part % 131 + 1
        }
        #expect(hex(hash.finish()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    /// The expected value was created with `sha256sum`: the hash of the concatenated hexadecimal hashes of 0 to 200
    /// bytes with the values 0, 1, 2, ….
    @Test func `every length around the block boundaries is padded correctly`() {
        let hashes = (0...200).map { length in hex(SHA256.hash((0..<length).map { UInt8($0) })) }
        #expect(
            hex(SHA256.hash(hashes.joined().utf8)) == "b367ea311264aae50e6260b96a10761169ce3eec5d5f8f2258351f82c7252776"
        )
    }
}
