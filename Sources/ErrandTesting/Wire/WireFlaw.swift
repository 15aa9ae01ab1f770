/// The reason why bytes are not a valid response.
struct WireFlaw: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// Helpers for writing and parsing bytes. They deliberately share no code with the library's and server's parsers.
extension [UInt8] {
    init(wire text: String) {
        self.init(text.utf8)
    }

    static let lineEnd: [UInt8] = [0x0D, 0x0A]
}

extension Collection<UInt8> {
    /// The bytes without surrounding spaces and tabs.
    var trimmedOfBlanks: [UInt8] {
        var bytes = Array(drop { $0 == 0x20 || $0 == 0x09 })
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }

    /// The lowercase text of ASCII bytes. Other bytes become characters that no header name contains.
    var lowercasedText: String { String(decoding: self, as: UTF8.self).lowercased() }

    /// The trimmed elements of a comma-separated list, including empty elements (RFC 9110, section 5.6.1).
    var listElements: [[UInt8]] {
        split(separator: 0x2C, omittingEmptySubsequences: false).map(\.trimmedOfBlanks)
    }

    /// Whether the bytes are a token (RFC 9110, section 5.6.2).
    var isWireToken: Bool {
        !isEmpty
            && allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// The value of decimal digits, `Int.max` on overflow, or `nil` for anything else.
    var decimalValue: Int? { value(radix: 10) { (0x30...0x39).contains($0) ? Int($0) - 0x30 : nil } }

    /// The value of hexadecimal digits, `Int.max` on overflow, or `nil` for anything else.
    var hexValue: Int? { value(radix: 16, digit: \.hexDigit) }

    private func value(radix: Int, digit: (UInt8) -> Int?) -> Int? {
        guard !isEmpty else { return nil }
        var result = 0
        for byte in self {
            guard let digit = digit(byte) else { return nil }
            let (product, overflow) = result.multipliedReportingOverflow(by: radix)
            let (sum, overflows) = product.addingReportingOverflow(digit)
            result = overflow || overflows ? .max : sum
        }
        return result
    }
}

extension UInt8 {
    var hexDigit: Int? {
        switch self {
        case 0x30...0x39: Int(self) - 0x30
        case 0x41...0x46: Int(self) - 0x37
        case 0x61...0x66: Int(self) - 0x57
        default: nil
        }
    }
}
