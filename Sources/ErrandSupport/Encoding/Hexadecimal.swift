extension Sequence<UInt8> {
    /// The bytes as two lowercase hexadecimal digits each.
    package var hexadecimal: String {
        withContiguousStorageIfAvailable { hexadecimalDigits(of: $0) }
            ?? Array(self).withUnsafeBufferPointer { hexadecimalDigits(of: $0) }
    }
}

private func hexadecimalDigits(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { digits in
        for (index, byte) in bytes.enumerated() {
            digits[2 * index] = (byte >> 4).hexadecimalDigit
            digits[2 * index + 1] = (byte & 15).hexadecimalDigit
        }
        return 2 * bytes.count
    }
}

extension UInt8 {
    /// The digit of a value below 16.
    fileprivate var hexadecimalDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "a") + self - 10 }
}
