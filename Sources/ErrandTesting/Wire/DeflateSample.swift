import Errand

/// Compressed bytes with a known plain form, one sample for each kind of block that requires a decompressor.
struct DeflateSample: Sendable {
    let plain: [UInt8]
    let deflated: [UInt8]

    static let all: [DeflateSample] = [fixedCodes, dynamicCodes]

    /// Whether the bytes start with this sample. The last byte of both holds two sample bits and six unused bits.
    func opens(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.starts(with: deflated.dropLast()), let last = deflated.last else { return false }
        return bytes.dropFirst(deflated.count - 1).first.map { $0 & 3 == last & 3 } ?? false
    }

    private static let fixedCodes = DeflateSample(
        plain: [UInt8](wire: "fixed codes, fixed codes, fixed codes."),
        deflated: bytes("S8usSE1RSM5PSS3WUUjDwdEDAA=="))

    private static let dynamicCodes = DeflateSample(
        plain: [UInt8](
            wire: "dynamic codes: " + String(repeating: "abcabcacaecaecbiabiab", count: 19) + "a end"),
        deflated: bytes(
            "BcGxQcQAEMTAVlwH3UjyBhfwBER0z8z79+H7evp59/v1YBixWB4eYhixWB4eYhixWB4eYhixWB4eYhixWB4eYhixWB4eYhixWB4e"
                + "YhixWB4eYhixWB4eYhixWB4eYhixWB4eYhixWB4eYhixWB4eYhixWB4eYhixWB4eYhixWB4eYhixWB4eYhixWB4eYhixWB4e"
                + "8uzz/gM="))

    private static func bytes(_ text: String) -> [UInt8] { Data(base64Encoded: text).map(Array.init) ?? [] }
}
