/// A pure value that splits a body with a JSON array (RFC 8259, section 5) into the texts of its elements.
///
/// It finds the ends of the elements and checks the text between them. The elements themselves are not checked. Each
/// byte is examined once.
package struct JSONArraySplitter: JSONTextSplitter {
    private enum Phase {
        /// Before the opening bracket.
        case start
        /// After the opening bracket.
        case first
        /// Inside an element.
        case element
        /// After a comma.
        case following
        /// After the closing bracket.
        case end
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let limit: Int
    private var phase = Phase.start
    /// The bytes that are not consumed.
    private var bytes: [UInt8] = []
    /// The offset of the next byte to examine.
    private var index = 0
    /// The offset of the present element.
    private var start = 0
    /// The number of brackets and braces that are open in the element.
    private var depth = 0
    private var isString = false
    private var isEscaped = false
    private var count = 0
    /// The number of bytes that were consumed and removed.
    private var removed: Int64 = 0

    /// Creates a splitter for elements of at most `limit` bytes.
    package init(limit: Int) {
        self.limit = max(0, limit)
    }

    package mutating func add(_ chunk: Data) {
        let consumed = phase == .element ? start : index
        if consumed > 0 { bytes.removeFirst(consumed) }
        (index, start, removed) = (index - consumed, 0, removed + Int64(consumed))
        bytes.append(contentsOf: chunk)
    }

    package mutating func next() throws(ServiceError) -> JSONText? {
        while index < bytes.count {
            if phase == .element {
                guard let end = endOfElement() else { break }
                return try element(before: end)
            }
            if !Self.isSpace(bytes[index]) {
                guard try enter(bytes[index]) else { break }
            }
            if phase != .element { index += 1 }
        }
        guard phase != .element || index - start <= limit else { throw JSONText.tooLarge(limit) }
        return nil
    }

    package func last() throws(ServiceError) -> JSONText? {
        switch phase {
        case .end: return nil
        case .start: throw malformed("expected an array, found the end of the body")
        case .first, .element, .following:
            throw malformed("expected the end of the array, found the end of the body after \(count) elements")
        }
    }

    package func name(of text: JSONText) -> String { "element \(text.number)" }

    /// Handles a byte that is not white space, outside of the elements. Returns whether it is complete.
    private mutating func enter(_ byte: UInt8) throws(ServiceError) -> Bool {
        switch (phase, byte) {
        case (.start, UInt8(ascii: "[")): phase = .first
        case (.start, Self.byteOrderMark[0]) where removed == 0 && index == 0:
            // Parsers may ignore a byte order mark (RFC 8259, section 8.1).
            let found = bytes.prefix(Self.byteOrderMark.count)
            guard Self.byteOrderMark.starts(with: found) else { throw unexpected("an array", byte) }
            guard found.count == Self.byteOrderMark.count else { return false }
            index += found.count - 1
        case (.start, _): throw unexpected("an array", byte)
        case (.end, _): throw unexpected("nothing after the array", byte)
        case (.first, UInt8(ascii: "]")): phase = .end
        case (_, UInt8(ascii: ",")), (_, UInt8(ascii: "]")), (_, UInt8(ascii: "}")):
            throw unexpected("element \(count + 1)", byte)
        default: (phase, start) = (.element, index)
        }
        return true
    }

    /// Returns the text of the element that a delimiter ends.
    private mutating func element(before end: Int) throws(ServiceError) -> JSONText {
        let byte = bytes[end]
        guard byte != UInt8(ascii: "}") else { throw unexpected("a comma or the end of the array", byte) }
        guard end - start <= limit else { throw JSONText.tooLarge(limit) }
        phase = byte == UInt8(ascii: ",") ? .following : .end
        (index, count) = (end + 1, count + 1)
        return JSONText(bytes: Data(bytes[start..<end]), number: count)
    }

    /// Returns the offset of the delimiter after the element, or `nil` if another chunk is needed.
    private mutating func endOfElement() -> Int? {
        var (depth, isString, isEscaped, index) = (depth, isString, isEscaped, index)
        defer { (self.depth, self.isString, self.isEscaped, self.index) = (depth, isString, isEscaped, index) }
        return bytes.withUnsafeBufferPointer { bytes in
            while index < bytes.count {
                let byte = bytes[index]
                if isString {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isString = false
                    }
                } else {
                    switch byte {
                    case UInt8(ascii: "\""): isString = true
                    case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                    case UInt8(ascii: "]"), UInt8(ascii: "}"):
                        if depth == 0 { return index }
                        depth -= 1
                    case UInt8(ascii: ","):
                        if depth == 0 { return index }
                    default: break
                    }
                }
                index += 1
            }
            return nil
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private func unexpected(_ expected: String, _ byte: UInt8) -> ServiceError {
        let found = (0x21...0x7E).contains(byte) ? "\"\(Character(UnicodeScalar(byte)))\"" : "byte \(byte)"
        return malformed("expected \(expected), found \(found) at offset \(removed + Int64(index))")
    }

    private func malformed(_ reason: String) -> ServiceError {
        ServiceError(.decoding, "the body cannot be split into elements: \(reason)")
    }
}
