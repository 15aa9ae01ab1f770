import Errand

/// Splits a document into tokens (GraphQL, section 2.1), one after the other.
struct Lexer {
    private let bytes: [UInt8]
    private let limits: DocumentLimits
    private var place = 0
    private var tokens = 0
    private var line = 1
    private var column = 1

    init(_ text: String, limits: DocumentLimits) throws(DocumentProblem) {
        bytes = Array(text.utf8)
        self.limits = limits
        guard bytes.count <= limits.bytes else { throw problem("the text has more than \(limits.bytes) bytes") }
    }

    /// The next token; ``Token/Kind/end`` again and again once there is none.
    mutating func next() throws(DocumentProblem) -> Token {
        skipIgnored()
        let location = location
        guard let byte = peek() else { return Token(kind: .end, location: location) }
        tokens += 1
        guard tokens <= limits.tokens else { throw problem("the text has more than \(limits.tokens) tokens") }
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
            guard peek(1) == byte, peek(2) == byte else { throw problem("a dot stands alone") }
            advance(3)
            return .spread
        case _ where "!$&():=@[]{|}".utf8.contains(byte):
            advance()
            return .punctuator(Character(UnicodeScalar(byte)))
        default: throw problem("a character that means nothing here")
        }
    }

    private var location: GraphQLLocation { GraphQLLocation(line: line, column: column) }

    private func problem(_ message: String) -> DocumentProblem { DocumentProblem(message, at: location) }

    private func peek(_ offset: Int = 0) -> UInt8? {
        place + offset < bytes.count ? bytes[place + offset] : nil
    }

    /// Goes on by some bytes, and counts lines: `\n`, `\r` and `\r\n` end one (section 2.1.2).
    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count {
            guard let byte = peek() else { return }
            place += 1
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") && peek() != UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }

    /// White space, line ends, commas, comments and a byte order mark (sections 2.1.1 to 2.1.5).
    private mutating func skipIgnored() {
        while let byte = peek() {
            if byte == UInt8(ascii: "#") {
                while let byte = peek(), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { advance() }
            } else if " \t\r\n,".utf8.contains(byte) {
                advance()
            } else if byte == 0xEF, peek(1) == 0xBB, peek(2) == 0xBF {
                place += 3
            } else {
                return
            }
        }
    }
}

extension Lexer {
    private mutating func takeName() -> String {
        let start = place
        while let byte = peek(), byte.isNameStart || byte.isDecimal { advance() }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    /// Section 2.9.1 and 2.9.2: no leading zeros, and no name or dot right behind.
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
            throw problem("a number ends where it may not")
        }
        return kind
    }

    private mutating func takeDigits() throws(DocumentProblem) {
        guard let byte = peek(), byte.isDecimal else { throw problem("a number lacks a digit") }
        while let byte = peek(), byte.isDecimal { advance() }
    }

    /// Section 2.9.4.
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
        throw DocumentProblem("a string has no end", at: start)
    }

    private mutating func takeEscape() throws(DocumentProblem) {
        guard let byte = peek(1), "\"\\/bfnrtu".utf8.contains(byte) else { throw problem("an escape that is none") }
        guard byte == UInt8(ascii: "u") else { return advance(2) }
        if peek(2) == UInt8(ascii: "{") {
            let digits = (3..<9).prefix { peek($0)?.isHexadecimal ?? false }.count
            guard digits > 0, peek(3 + digits) == UInt8(ascii: "}") else { throw problem("an escape that is none") }
            return advance(4 + digits)
        }
        guard (2...5).allSatisfy({ peek($0)?.isHexadecimal ?? false }) else { throw problem("an escape that is none") }
        advance(6)
    }
}

extension UInt8 {
    /// A letter of ASCII or the underscore (section 2.1.9).
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
