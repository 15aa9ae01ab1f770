extension Sequence<UInt8> {
    /// The bytes as two lowercase hexadecimal digits each.
    package var hexadecimal: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            digits.append((byte >> 4).hexadecimalDigit)
            digits.append((byte & 15).hexadecimalDigit)
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension UInt8 {
    /// The digit of a value below 16.
    fileprivate var hexadecimalDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "a") + self - 10 }
}
