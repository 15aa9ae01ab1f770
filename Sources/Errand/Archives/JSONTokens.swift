import ErrandSupport

/// Finds the strings of JSON in any text, also in a text that is truncated or not JSON.
struct JSONTokens {
    /// A string and the text before it.
    struct Token {
        /// The text before the string.
        let gap: Range<Int>
        /// The string with its quotes, or `nil` at the end of the text.
        var string: Range<Int>?
        /// Whether the string has a closing quote.
        var isClosed = true
        /// Whether the string is the name of a member.
        var isName = false
        /// The offset of the next token: after the string, or after the colon and the blanks of a name.
        var end: Int
    }

    /// A part of a value.
    enum Part {
        case string(String, isClosed: Bool)
        case number(String)
        case other([UInt8])
    }

    private static let quote = UInt8(ascii: "\"")

    private let bytes: [UInt8]
    private var index = 0
    private var isFinished = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> Token? {
        guard !isFinished else { return nil }
        var start = index
        let gapStart = index
        while let quote = bytes[start...].firstIndex(of: Self.quote) {
            let (end, isClosed) = endOfString(from: quote)
            // Strings of JSON have no line breaks, so this quote belongs to another text.
            guard isClosed || end == bytes.count else {
                start = end
                continue
            }
            var token = Token(gap: gapStart..<quote, string: quote..<end, isClosed: isClosed, end: end)
            let colon = afterBlanks(end)
            if isClosed, colon < bytes.count, bytes[colon] == UInt8(ascii: ":") {
                (token.isName, token.end) = (true, afterBlanks(colon + 1))
            }
            index = token.end
            return token
        }
        isFinished = true
        return Token(gap: gapStart..<bytes.count, end: bytes.count)
    }

    /// Returns the text of a string, with its escapes resolved.
    func text(of string: Range<Int>) -> String {
        var content = bytes[string].dropFirst()
        if content.last == Self.quote, endOfString(from: string.lowerBound).isClosed { content = content.dropLast() }
        return UnescapedText.jsonString(content)
    }

    /// Consumes the value at this offset.
    mutating func takeValue() -> [Part] {
        var parts: [Part] = []
        var depth = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case Self.quote:
                let (end, isClosed) = endOfString(from: index)
                let string = index..<end
                index = end
                let colon = afterBlanks(end)
                let isName = depth > 0 && isClosed && colon < bytes.count && bytes[colon] == UInt8(ascii: ":")
                parts.append(isName ? .other(Array(bytes[string])) : .string(text(of: string), isClosed: isClosed))
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                takeByte(&parts)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return parts }
                depth -= 1
                takeByte(&parts)
            case UInt8(ascii: ","):
                if depth == 0 { return parts }
                takeByte(&parts)
            case _ where byte.isJSONSpace || byte == UInt8(ascii: ":"): takeByte(&parts)
            default: parts.append(takeWord())
            }
            if depth == 0, case .other(let other)? = parts.last, "}]".utf8.contains(other[0]) { return parts }
            if depth == 0, case .string? = parts.last { return parts }
            if depth == 0, case .number? = parts.last { return parts }
        }
        return parts
    }

    private mutating func takeByte(_ parts: inout [Part]) {
        parts.append(.other([bytes[index]]))
        index += 1
    }

    /// Consumes a number, a literal, or a word that is not JSON.
    private mutating func takeWord() -> Part {
        let start = index
        while index < bytes.count, !bytes[index].isJSONSpace, !",:{}[]\"".utf8.contains(bytes[index]) { index += 1 }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        return ["true", "false", "null"].contains(word) ? .other(Array(word.utf8)) : .number(word)
    }

    private func afterBlanks(_ start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index].isJSONSpace { index += 1 }
        return index
    }

    /// Returns the offset after the closing quote. If the string is not closed, returns the offset of the line break, or
    /// the end of the text.
    private func endOfString(from quote: Int) -> (end: Int, isClosed: Bool) {
        var index = quote + 1
        while index < bytes.count {
            switch bytes[index] {
            case Self.quote: return (index + 1, true)
            case UInt8(ascii: "\\"): index += 2
            case 0x0A, 0x0D: return (index, false)
            default: index += 1
            }
        }
        return (bytes.count, false)
    }
}
