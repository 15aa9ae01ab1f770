import ErrandSupport

/// Parses a JSON text into a ``JSONTape`` (RFC 8259).
///
/// It accepts less than Foundation's decoder: no byte order mark, no charset other than UTF-8 and no unpaired
/// surrogates. `nil` means that Foundation's decoder must decode the text.
///
/// It changes the keys in the text: it replaces their escape sequences, and converts them if the decoder requires it. They
/// never become longer.
struct JSONTapeParser {
    let bytes: UnsafeMutableBufferPointer<UInt8>
    let convertsSnakeCase: Bool
    var index = 0
    private var nodes: [JSONTape.Node] = []
    private var level = 0
    var isASCII = true
    /// The maximum number of nodes for which memory is reserved in advance: 16 MB.
    private static let maximumReserved = 1 << 20
    private let limit: DecodingLimit?
    /// The index of the byte at which the limit is checked next.
    private var nextCheck: Int
    /// The error that stopped parsing.
    private var interruption: (any Error)?

    /// Returns the nodes of a text, or `nil` if Foundation's decoder must decode it.
    /// - Throws: The error of ``FastJSONDecoder/interruption``.
    static func nodes(
        of text: inout [UInt8], convertsSnakeCase: Bool, _ limit: DecodingLimit?
    ) throws -> [JSONTape.Node]? {
        guard text.count <= JSONTape.maximumBytes else { return nil }
        let parsed = text.withUnsafeMutableBufferPointer {
            bytes -> (nodes: [JSONTape.Node]?, isASCII: Bool, (any Error)?) in
            var parser = JSONTapeParser(bytes: bytes, convertsSnakeCase: convertsSnakeCase, limit: limit)
            let isComplete = parser.document()
            return (isComplete ? parser.nodes : nil, parser.isASCII, parser.interruption)
        }
        if let interruption = parsed.2 { throw interruption }
        guard parsed.isASCII || String(validUTF8: text) != nil else { return nil }
        return parsed.nodes
    }

    private init(bytes: UnsafeMutableBufferPointer<UInt8>, convertsSnakeCase: Bool, limit: DecodingLimit?) {
        self.bytes = bytes
        self.convertsSnakeCase = convertsSnakeCase
        self.limit = limit
        nextCheck = limit == nil ? .max : DecodingLimit.interval.bytes
        nodes.reserveCapacity(min(bytes.count / 6 + 8, Self.maximumReserved))
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
        case UInt8(ascii: "\""): string()
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

    mutating func append(_ kind: JSONTape.Node.Kind, _ start: Int, _ end: Int) {
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
        let objectIndex = nodes.count
        var check = KeyIndexCheck()
        let isComplete = nested(.object, closing: UInt8(ascii: "}")) { parser in parser.member(&check) }
        if check.needsIndex || check.mayHaveEqualKeys { nodes[objectIndex].kind = .uncheckedObject }
        return isComplete
    }

    @inline(__always)
    private mutating func member(_ check: inout KeyIndexCheck) -> Bool {
        guard peek() == UInt8(ascii: "\""), key(), peek() == UInt8(ascii: ":") else { return false }
        check.include(nodes[nodes.count - 1], in: UnsafeBufferPointer(bytes))
        index += 1
        return value()
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
        var end = start
        while end < bytes.count, bytes[end] &- 0x30 < 10 { end += 1 }
        index = end
        return end == start ? nil : end - start
    }
}
