import ErrandSupport
import Foundation
import Testing

@Suite struct XXHash64Tests {
    /// The sanity buffer of the reference implementation.
    private static let sample: Data = {
        var generator: UInt64 = 2_654_435_761
        return Data(
            (0..<2_367).map { _ in
                defer { generator = generator &* 11_400_714_785_074_694_797 }
                return UInt8(generator >> 56)
            })
    }()

    @Test(
        arguments: [
            (0, 0xEF46_DB37_51D8_E999), (1, 0xE934_A84A_DB05_2768), (4, 0x9136_A0DC_A574_57EE),
            (14, 0x8282_DCC4_994E_35C8), (222, 0xB641_AE8C_B691_C174),
        ] as [(Int, UInt64)]) func `the published values are computed`(count: Int, value: UInt64)
    {
        #expect(XXHash64.hash(Self.sample.prefix(count)) == value)
    }

    @Test func `the parts of the input do not matter`() {
        let expected = XXHash64.hash(Self.sample)
        for size in [1, 3, 31, 32, 33, 500] {
            var hash = XXHash64()
            var index = 0
            while index < Self.sample.count {
                hash.update(Self.sample[index..<min(index + size, Self.sample.count)])
                index += size
            }
            #expect(hash.value == expected)
        }
    }
}
