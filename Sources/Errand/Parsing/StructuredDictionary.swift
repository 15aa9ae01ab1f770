import ErrandSupport

/// A dictionary of structured fields (RFC 9651, section 3.2), of which only the byte sequences are kept.
///
/// Parsing is strict (section 4.2): one malformed member makes the complete dictionary invalid.
package struct StructuredDictionary: Sendable, Hashable {
    /// The members that are byte sequences. A repeated key has its last value.
    package let byteSequences: [String: Data]

    /// Parses the value of a header. Several headers are combined with commas. Returns `nil` if it is malformed.
    package init?(_ value: String) {
        var parser = StructuredParser(value)
        guard let members = parser.dictionary() else { return nil }
        byteSequences = members
    }
}

/// The parser of section 4.2. Each method advances the index, and returns `nil` or `false` if the text is malformed.
private struct StructuredParser {
    /// A value: a byte sequence, or another type of value that is checked and ignored.
    enum Value {
        case bytes(Data)
        case other
    }

    private let bytes: [UInt8]
    private var index = 0

    init(_ value: String) {
        bytes = Array(value.utf8)
    }

    mutating func dictionary() -> [String: Data]? {
        var members: [String: Data] = [:]
        skip(" ")
        guard !isAtEnd else { return members }
        while let key = key() {
            var data: Data?
            if take("=") {
                guard let value = current == UInt8(ascii: "(") ? innerList() : bareItem() else { return nil }
                if case .bytes(let bytes) = value { data = bytes }
            }
            guard parameters() else { return nil }
            members[key] = data
            skip(" \t")
            if isAtEnd { return members }
            guard take(",") else { return nil }
            skip(" \t")
        }
        return nil
    }

    private var isAtEnd: Bool { index == bytes.count }
    private var current: UInt8? { isAtEnd ? nil : bytes[index] }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skip(_ characters: String) {
        while let current, characters.utf8.contains(current) { index += 1 }
    }

    /// Returns the bytes that fulfill a condition.
    private mutating func run(while isIncluded: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = index
        while let current, isIncluded(current) { index += 1 }
        return bytes[start..<index]
    }

    private mutating func key() -> String? {
        guard let first = current, first.isLowercaseLetter || first == UInt8(ascii: "*") else { return nil }
        let key = run { $0.isLowercaseLetter || $0.isDigit || "_-.*".utf8.contains($0) }
        return String(decoding: key, as: UTF8.self)
    }

    private mutating func parameters() -> Bool {
        while take(";") {
            skip(" ")
            guard key() != nil else { return false }
            if take("="), bareItem() == nil { return false }
        }
        return true
    }

    private mutating func innerList() -> Value? {
        guard take("(") else { return nil }
        while true {
            skip(" ")
            if take(")") { return .other }
            guard bareItem() != nil, parameters(), current == UInt8(ascii: " ") || current == UInt8(ascii: ")") else {
                return nil
            }
        }
    }

    private mutating func bareItem() -> Value? {
        guard let first = current else { return nil }
        switch first {
        case UInt8(ascii: ":"): return byteSequence()
        case UInt8(ascii: "\""): return string() ? .other : nil
        case UInt8(ascii: "?"):
            index += 1
            return take("0") || take("1") ? .other : nil
        case UInt8(ascii: "@"):
            index += 1
            return number(isInteger: true) ? .other : nil
        case UInt8(ascii: "%"): return displayString() ? .other : nil
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number(isInteger: false) ? .other : nil
        case UInt8(ascii: "*"): break
        default: guard first.isAlphanumeric else { return nil }
        }
        // A token (section 4.2.6).
        _ = run { $0.isTokenByte || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        return .other
    }

    /// Parses a byte sequence (section 4.2.7). Missing padding is accepted.
    private mutating func byteSequence() -> Value? {
        guard take(":") else { return nil }
        let digits = run { $0.isAlphanumeric || "+/=".utf8.contains($0) }
        guard take(":") else { return nil }
        let padding = String(repeating: "=", count: (4 - digits.count % 4) % 4)
        return Data(base64Encoded: String(decoding: digits, as: UTF8.self) + padding).map { .bytes($0) }
    }

    /// Parses a number with at most 15 digits, or with at most 12 digits before and 3 after a decimal point (section
    /// 4.2.4).
    private mutating func number(isInteger: Bool) -> Bool {
        _ = take("-")
        let digits = run(while: \.isDigit).count
        guard current == UInt8(ascii: "."), !isInteger else { return (1...15).contains(digits) }
        index += 1
        return (1...12).contains(digits) && (1...3).contains(run(while: \.isDigit).count)
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let byte = current, (0x20...0x7E).contains(byte) {
            index += 1
            if byte == UInt8(ascii: "\"") { return true }
            if byte == UInt8(ascii: "\\"), !take("\""), !take("\\") { return false }
        }
        return false
    }

    /// Parses a display string (section 4.2.10), without a check of its UTF-8.
    private mutating func displayString() -> Bool {
        guard take("%"), take("\"") else { return false }
        while let byte = current, (0x20...0x7E).contains(byte) {
            if byte == UInt8(ascii: "%") {
                guard bytes.octet(at: index) != nil else { return false }
                index += 3
            } else {
                index += 1
                if byte == UInt8(ascii: "\"") { return true }
            }
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isLowercaseLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}
