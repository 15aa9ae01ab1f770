import Errand
import ErrandSupport

/// A JSON object on one line, as printed by `--json`.
package enum JSONLine {
    /// Returns the object with sorted keys. Characters that a terminal could interpret are escaped, because JSON allows
    /// unescaped control characters from U+007F on.
    static func text(_ value: some Encodable) -> String {
        (try? encoded(value)).map(escaped) ?? "{}"
    }

    /// Returns the object with the access key masked in its strings. Member names and numbers are unchanged.
    ///
    /// - Throws: An error if the value can't be encoded as JSON.
    package static func text(_ value: some Encodable, hiding mask: KeyMask) throws -> String {
        var (line, rest) = ("", try encoded(value)[...])
        // Compare bytes, because a quotation mark and a following combining mark are one character.
        while let start = rest.utf8.firstIndex(of: UInt8(ascii: "\"")) {
            line += rest[..<start]
            let literal = rest[start...].stringLiteral
            rest = rest[literal.endIndex...]
            let isName = rest.utf8.first == UInt8(ascii: ":")
            line += isName ? String(literal) : try masked(literal, mask)
        }
        return escaped(line + rest)
    }

    private static func masked(_ literal: Substring, _ mask: KeyMask) throws -> String {
        let text = try JSONDecoder().decode(String.self, from: Data(literal.utf8))
        let hidden = mask.hide(text)
        return hidden == text ? String(literal) : try encoded(hidden)
    }

    private static func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder.errand
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { line, scalar in
            guard scalar.isHidden else { return line.unicodeScalars.append(scalar) }
            for unit in String(scalar).utf16 { line += "\\u" + fourDigits(unit) }
        }
    }

    private static func fourDigits(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension Substring {
    /// The JSON string at the start of this text, including its quotation marks.
    fileprivate var stringLiteral: Substring {
        var index = utf8.index(after: startIndex)
        while index < endIndex, utf8[index] != UInt8(ascii: "\"") {
            if utf8[index] == UInt8(ascii: "\\") { index = utf8.index(after: index) }
            if index < endIndex { index = utf8.index(after: index) }
        }
        return self[..<(index < endIndex ? utf8.index(after: index) : endIndex)]
    }
}
