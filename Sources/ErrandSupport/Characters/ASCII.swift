extension UInt8 {
    /// Whether this is an ASCII letter or digit.
    @inlinable package var isAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: isDigit
        }
    }

    /// Whether this is an ASCII decimal digit.
    @inlinable package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// This byte in lowercase if it is an ASCII letter. Otherwise, the unchanged byte.
    @inlinable package var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }

    /// The value of a hexadecimal digit, or `nil` for another character.
    @inlinable package var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Whether this is a character of a token (RFC 9110, section 5.6.2).
    @inlinable package var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "^")...UInt8(ascii: "`"): true
        case UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "."): true
        case UInt8(ascii: "!"), UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
    }
}

extension String {
    /// Whether this is a token (RFC 9110, section 5.6.2).
    @inlinable package var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenByte) }
}
