import ErrandSupport

/// Parses a JSON text into a ``JSONTape`` (RFC 8259).
///
/// It accepts less than Foundation's decoder: no byte order mark, no charset other than UTF-8, no keys with escapes and
/// no unpaired surrogates. `nil` means that Foundation's decoder must decode the text.
struct JSONTapeParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var nodes: [JSONTape.Node] = []
    private var level = 0
    private var isASCII = true
    private let limit: DecodingLimit?
    /// The index of the byte at which the limit is checked next.
    private var nextCheck: Int
    /// The error that stopped parsing.
    private var interruption: (any Error)?

    /// Returns the nodes of a text, or `nil` if Foundation's decoder must decode it.
    /// - Throws: The error of ``FastJSONDecoder/interruption``.
    static func nodes(of text: [UInt8], _ limit: DecodingLimit?) throws -> [JSONTape.Node]? {
        guard text.count <= JSONTape.maximumBytes else { return nil }
        let parsed = text.withUnsafeBufferPointer { bytes -> (nodes: [JSONTape.Node]?, isASCII: Bool, (any Error)?) in
            var parser = JSONTapeParser(bytes: bytes, limit: limit)
            let isComplete = parser.document()
            return (isComplete ? parser.nodes : nil, parser.isASCII, parser.interruption)
        }
        if let interruption = parsed.2 { throw interruption }
        guard parsed.isASCII || String(validUTF8: text) != nil else { return nil }
        return parsed.nodes
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, limit: DecodingLimit?) {
        self.bytes = bytes
        self.limit = limit
        nextCheck = limit == nil ? .max : DecodingLimit.interval.bytes
        nodes.reserveCapacity(bytes.count / 12 + 8)
    }

    private mutating func checkLimit() -> Bool {
        do {
            try limit?.check()
            nextCheck = index + DecodingLimit.interval.bytes
            return true
        } catch {
            interruption = error
            return false
        }
    }

    private mutating func document() -> Bool {
        guard value(), peek() == nil else { return false }
        append(.null, index, index)
        return true
    }

    /// Skips white space and returns the next byte without consuming it.
    private mutating func peek() -> UInt8? {
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            index += 1
        }
        return nil
    }

    private mutating func value() -> Bool {
        if index >= nextCheck, !checkLimit() { return false }
        return switch peek() {
        case UInt8(ascii: "\""): string(isKey: false)
        case UInt8(ascii: "{"): object()
        case UInt8(ascii: "["): array()
        case UInt8(ascii: "t"): word("true", .true)
        case UInt8(ascii: "f"): word("false", .false)
        case UInt8(ascii: "n"): word("null", .null)
        case .some(let byte): number(byte)
        case nil: false
        }
    }

    private mutating func word(_ word: StaticString, _ kind: JSONTape.Node.Kind) -> Bool {
        let start = index
        guard bytes.count - index >= word.utf8CodeUnitCount else { return false }
        for offset in 0..<word.utf8CodeUnitCount where bytes[index + offset] != word.utf8Start[offset] { return false }
        index += word.utf8CodeUnitCount
        append(kind, start, index)
        return true
    }

    private mutating func append(_ kind: JSONTape.Node.Kind, _ start: Int, _ end: Int) {
        nodes.append(
            JSONTape.Node(
                kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: nodes.count + 1)))
    }
}

// MARK: - Arrays and objects

extension JSONTapeParser {
    private mutating func array() -> Bool {
        nested(.array, closing: UInt8(ascii: "]")) { parser in parser.value() }
    }

    private mutating func object() -> Bool {
        nested(.object, closing: UInt8(ascii: "}")) { parser in
            guard parser.peek() == UInt8(ascii: "\""), parser.string(isKey: true),
                parser.peek() == UInt8(ascii: ":")
            else { return false }
            parser.index += 1
            return parser.value()
        }
    }

    @inline(__always)
    private mutating func nested(
        _ kind: JSONTape.Node.Kind, closing: UInt8, _ element: (inout JSONTapeParser) -> Bool
    ) -> Bool {
        guard level < JSONTape.maximumLevels else { return false }
        level += 1
        let own = nodes.count
        append(kind, index, 0)
        index += 1
        var count: UInt32 = 0
        if peek() == closing {
            index += 1
        } else {
            while true {
                guard element(&self) else { return false }
                count += 1
                let byte = peek()
                index += 1
                if byte == closing { break }
                guard byte == UInt8(ascii: ",") else { return false }
            }
        }
        nodes[own].end = count
        nodes[own].next = UInt32(truncatingIfNeeded: nodes.count)
        level -= 1
        return true
    }
}

// MARK: - Strings

extension JSONTapeParser {
    private mutating func string(isKey: Bool) -> Bool {
        index += 1
        let start = index
        var kind = JSONTape.Node.Kind.string
        var high: UInt8 = 0
        while index < bytes.count {
            let byte = bytes[index]
            high |= byte
            if byte == UInt8(ascii: "\"") {
                append(isKey && high >= 0x80 ? .wideKey : kind, start, index)
                index += 1
                if high >= 0x80 { isASCII = false }
                return true
            }
            guard byte >= 0x20 else { return false }
            index += 1
            if byte == UInt8(ascii: "\\") {
                guard !isKey, escape() else { return false }
                kind = .escapedString
            }
        }
        return false
    }

    /// Parses the rest of an escape sequence after its backslash.
    private mutating func escape() -> Bool {
        guard index < bytes.count else { return false }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return true
        case UInt8(ascii: "u"):
            guard let unit = hexadecimal() else { return false }
            guard (0xD800...0xDFFF).contains(unit) else { return true }
            guard unit < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
                bytes[index + 1] == UInt8(ascii: "u")
            else { return false }
            index += 2
            guard let low = hexadecimal() else { return false }
            return (0xDC00...0xDFFF).contains(low)
        default:
            return false
        }
    }

    private mutating func hexadecimal() -> Int? {
        guard index + 4 <= bytes.count else { return nil }
        defer { index += 4 }
        var sum = 0
        for digit in index..<index + 4 {
            guard let value = bytes[digit].hexValue else { return nil }
            sum = sum * 16 + Int(value)
        }
        return sum
    }
}

// MARK: - Numbers

extension JSONTapeParser {
    private mutating func number(_ first: UInt8) -> Bool {
        let start = index
        var kind = JSONTape.Node.Kind.integer
        if first == UInt8(ascii: "-") { index += 1 }
        let zero = index < bytes.count && bytes[index] == UInt8(ascii: "0")
        guard let count = digits(), !zero || count == 1 else { return false }
        if skip(UInt8(ascii: ".")) {
            kind = .decimal
            guard digits() != nil else { return false }
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            kind = .decimal
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            guard digits() != nil else { return false }
        }
        append(kind, start, index)
        return true
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    /// Skips digits and returns their number, or `nil` if no digit follows.
    private mutating func digits() -> Int? {
        let start = index
        while index < bytes.count, bytes[index] &- 0x30 < 10 { index += 1 }
        return index == start ? nil : index - start
    }
}
