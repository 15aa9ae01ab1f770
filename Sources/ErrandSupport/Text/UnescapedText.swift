/// A text in ASCII lowercase with its escapes resolved: percent-encoding, escapes of JSON strings and character
/// references of HTML. Each byte has its range in the original text.
package struct UnescapedText {
    package private(set) var bytes: [UInt8] = []
    /// The range of each byte in the UTF-8 of the original text.
    package private(set) var sources: [Range<Int>] = []

    /// Creates a text with unchanged escapes.
    package init(literally text: String) {
        bytes = text.utf8.map(\.lowercased)
        sources = bytes.indices.map { $0..<$0 + 1 }
    }

    /// Creates a text with escapes that are resolved once.
    package init(_ text: String) {
        let source = Array(text.utf8)
        var index = 0
        while index < source.count {
            if let escape = Self.escape(in: source, at: index) {
                for byte in escape.bytes { append(byte, index..<escape.end) }
                index = escape.end
            } else {
                append(source[index], index..<index + 1)
                index += 1
            }
        }
    }

    /// Whether a byte may start an escape.
    package static func startsEscape(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&")
    }

    private mutating func append(_ byte: UInt8, _ source: Range<Int>) {
        bytes.append(byte.lowercased)
        sources.append(source)
    }

    private static func escape(in text: [UInt8], at index: Int) -> (bytes: [UInt8], end: Int)? {
        switch text[index] {
        case UInt8(ascii: "%"): text.octet(at: index).map { ([$0], index + 3) }
        case UInt8(ascii: "\\"): jsonEscape(in: text, at: index)
        case UInt8(ascii: "&"): reference(in: text, at: index)
        default: nil
        }
    }

    /// Returns the text of a JSON string without its quotes. Invalid escapes remain.
    package static func jsonString(_ content: ArraySlice<UInt8>) -> String {
        guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
        let source = Array(content)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "\\"), let escape = jsonEscape(in: source, at: index) {
                bytes += escape.bytes
                index = escape.end
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the text of markup with its character references resolved once.
    package static func markup(_ text: some Collection<UInt8>) -> String {
        guard text.contains(UInt8(ascii: "&")) else { return String(decoding: text, as: UTF8.self) }
        let source = Array(text)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "&"), let reference = reference(in: source, at: index) {
                bytes += reference.bytes
                index = reference.end
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Resolves an escape of a JSON string (RFC 8259, section 7).
    private static func jsonEscape(in text: [UInt8], at index: Int) -> (bytes: [UInt8], end: Int)? {
        guard index + 1 < text.count else { return nil }
        switch text[index + 1] {
        case UInt8(ascii: "u"): return unicodeEscape(in: text, at: index)
        case UInt8(ascii: "n"): return ([0x0A], index + 2)
        case UInt8(ascii: "r"): return ([0x0D], index + 2)
        case UInt8(ascii: "t"): return ([0x09], index + 2)
        case UInt8(ascii: "b"): return ([0x08], index + 2)
        case UInt8(ascii: "f"): return ([0x0C], index + 2)
        case let next: return "\\\"/".utf8.contains(next) ? ([next], index + 2) : nil
        }
    }

    /// Resolves `\u` and four digits, or two of them for a character outside of the basic plane.
    private static func unicodeEscape(in text: [UInt8], at index: Int) -> (bytes: [UInt8], end: Int)? {
        guard let first = unit(in: text, at: index) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (Array(String(scalar).utf8), index + 6) }
        guard (0xD800..<0xDC00).contains(first), let second = unit(in: text, at: index + 6),
            (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00))
        else { return nil }
        return (Array(String(scalar).utf8), index + 12)
    }

    private static func unit(in text: [UInt8], at index: Int) -> UInt16? {
        guard index + 6 <= text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        return UInt16(String(decoding: text[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16)
    }

    /// Resolves a character reference (HTML, section 13.5): those for the characters that HTML itself uses, and numeric
    /// ones.
    private static func reference(in text: [UInt8], at index: Int) -> (bytes: [UInt8], end: Int)? {
        let start = text[(index + 1)...].prefix(8)
        guard let end = start.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = start[..<end]
        let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        if let character = known[String(decoding: name, as: UTF8.self)] { return (Array(character.utf8), end + 1) }
        guard name.first == UInt8(ascii: "#") else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first?.lowercased == UInt8(ascii: "x")
        return scalar(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10).map { ($0, end + 1) }
    }

    private static func scalar(_ digits: ArraySlice<UInt8>, radix: Int) -> [UInt8]? {
        UInt32(String(decoding: digits, as: UTF8.self), radix: radix).flatMap(Unicode.Scalar.init)
            .map { Array(String($0).utf8) }
    }
}
