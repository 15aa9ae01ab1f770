import Errand

/// Splits a document into tokens (GraphQL, section 2.1).
struct Lexer {
    private let bytes: [UInt8]
    private let limits: DocumentLimits
    private var index = 0
    private var tokens = 0
    private var line = 1
    private var column = 1

    init(_ text: String, limits: DocumentLimits) throws(DocumentProblem) {
        bytes = Array(text.utf8)
        self.limits = limits
        guard bytes.count <= limits.bytes else { throw problem("expected at most \(limits.bytes) bytes") }
    }

    /// Returns the next token. At the end of the text, each call returns ``Token/Kind/end``.
    mutating func next() throws(DocumentProblem) -> Token {
        skipIgnored()
        let location = location
        guard let byte = peek() else { return Token(kind: .end, location: location) }
        tokens += 1
        guard tokens <= limits.tokens else { throw problem("expected at most \(limits.tokens) tokens") }
        return Token(kind: try kind(startingWith: byte), location: location)
    }

    private mutating func kind(startingWith byte: UInt8) throws(DocumentProblem) -> Token.Kind {
        switch byte {
        case _ where byte.isNameStart: return .name(takeName())
        case UInt8(ascii: "-"),
            _ where byte.isDecimal:
            return try takeNumber()
        case UInt8(ascii: "\""): return try takeString()
        case UInt8(ascii: "."):
            guard peek(1) == byte, peek(2) == byte else { throw problem("expected “...”") }
            advance(3)
            return .spread
        case _ where "!$&():=@[]{|}".utf8.contains(byte):
            advance()
            return .punctuator(Character(UnicodeScalar(byte)))
        default: throw problem("unexpected character")
        }
    }

    private var location: GraphQLLocation { GraphQLLocation(line: line, column: column) }

    private func problem(_ message: String) -> DocumentProblem { DocumentProblem(message, at: location) }

    private func peek(_ offset: Int = 0) -> UInt8? {
        index + offset < bytes.count ? bytes[index + offset] : nil
    }

    /// Skips bytes and counts lines. A line ends with `\n`, `\r` or `\r\n` (section 2.1.2).
    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count {
            guard let byte = peek() else { return }
            index += 1
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") && peek() != UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }

    /// Skips white space, line terminators, commas, comments and a byte order mark (sections 2.1.1 to 2.1.5).
    private mutating func skipIgnored() {
        while let byte = peek() {
            if byte == UInt8(ascii: "#") {
                while let byte = peek(), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { advance() }
            } else if " \t\r\n,".utf8.contains(byte) {
                advance()
            } else if byte == 0xEF, peek(1) == 0xBB, peek(2) == 0xBF {
                index += 3
            } else {
                return
            }
        }
    }
}

extension Lexer {
    private mutating func takeName() -> String {
        let start = index
        while let byte = peek(), byte.isNameStart || byte.isDecimal { advance() }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Parses a number (sections 2.9.1 and 2.9.2). It has no leading zeros, and it is not directly followed by a name
    /// or a dot.
    private mutating func takeNumber() throws(DocumentProblem) -> Token.Kind {
        var kind = Token.Kind.int
        if peek() == UInt8(ascii: "-") { advance() }
        if peek() == UInt8(ascii: "0") { advance() } else { try takeDigits() }
        if peek() == UInt8(ascii: ".") {
            kind = .float
            advance()
            try takeDigits()
        }
        if let byte = peek(), byte | 0x20 == UInt8(ascii: "e") {
            kind = .float
            advance()
            if let sign = peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { advance() }
            try takeDigits()
        }
        if let byte = peek(), byte.isNameStart || byte.isDecimal || byte == UInt8(ascii: ".") {
            throw problem("unexpected character after a number")
        }
        return kind
    }

    private mutating func takeDigits() throws(DocumentProblem) {
        guard let byte = peek(), byte.isDecimal else { throw problem("expected a digit") }
        while let byte = peek(), byte.isDecimal { advance() }
    }

    /// Parses a string (section 2.9.4).
    private mutating func takeString() throws(DocumentProblem) -> Token.Kind {
        let start = location
        let quote = UInt8(ascii: "\"")
        let isBlock = peek(1) == quote && peek(2) == quote
        advance(isBlock ? 3 : 1)
        while let byte = peek() {
            if byte == quote, !isBlock || peek(1) == quote && peek(2) == quote {
                advance(isBlock ? 3 : 1)
                return .string
            }
            if isBlock {
                let isEscaped = byte == UInt8(ascii: "\\") && (1...3).allSatisfy { peek($0) == quote }
                advance(isEscaped ? 4 : 1)
            } else {
                guard byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") else { break }
                if byte == UInt8(ascii: "\\") { try takeEscape() } else { advance() }
            }
        }
        throw DocumentProblem("unterminated string", at: start)
    }

    private mutating func takeEscape() throws(DocumentProblem) {
        guard let byte = peek(1), "\"\\/bfnrtu".utf8.contains(byte) else { throw problem("invalid escape sequence") }
        guard byte == UInt8(ascii: "u") else { return advance(2) }
        if peek(2) == UInt8(ascii: "{") {
            let digits = (3..<9).prefix { peek($0)?.isHexadecimal ?? false }.count
            guard digits > 0, peek(3 + digits) == UInt8(ascii: "}") else { throw problem("invalid escape sequence") }
            return advance(4 + digits)
        }
        guard (2...5).allSatisfy({ peek($0)?.isHexadecimal ?? false }) else { throw problem("invalid escape sequence") }
        advance(6)
    }
}

extension UInt8 {
    /// Whether this is an ASCII letter or an underscore (section 2.1.9).
    fileprivate var isNameStart: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    fileprivate var isDecimal: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isHexadecimal: Bool {
        isDecimal || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
    }
}
