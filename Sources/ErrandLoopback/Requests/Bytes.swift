/// The bytes with a meaning in HTTP syntax.
extension UInt8 {
    static let lineFeed: Self = 0x0A
    static let carriageReturn: Self = 0x0D
    static let space: Self = 0x20
    static let tab: Self = 0x09
    static let colon: Self = 0x3A

    var lowercasedASCII: UInt8 { 0x41 <= self && self <= 0x5A ? self | 0x20 : self }

    var decimalDigitValue: Int? { 0x30 <= self && self <= 0x39 ? Int(self) - 0x30 : nil }

    var isBlank: Bool { self == .space || self == .tab }

    var hexDigitValue: Int? {
        switch self {
        case 0x30...0x39: Int(self) - 0x30
        case 0x41...0x46: Int(self) - 0x41 + 10
        case 0x61...0x66: Int(self) - 0x61 + 10
        default: nil
        }
    }

    /// Whether this is a character of a method or a header name (RFC 9110, section 5.6.2).
    var isTokenCharacter: Bool {
        switch self {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    /// Whether this is a character of a header value. Bytes above ASCII are accepted (RFC 9110, section 5.5).
    var isHeaderValueCharacter: Bool { self >= 0x20 && self != 0x7F || self == .tab }

    /// Whether this is a character of a request target: visible ASCII.
    var isTargetCharacter: Bool { self > 0x20 && self < 0x7F }
}
