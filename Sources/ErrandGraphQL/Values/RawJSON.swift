import Errand

/// The unparsed elements of a JSON object or array. One can be replaced without changing the others: a number, for
/// example, keeps all its digits.
struct RawJSON {
    private let bytes: [UInt8]
    private var index = 0

    private init(_ data: Data) {
        bytes = Array(data)
    }

    /// Returns the members of an object in their order, or `nil` if the text is not an object.
    static func members(of data: Data) -> [(name: String, value: Data)]? {
        var members: [(name: String, value: Data)] = []
        var scanner = RawJSON(data)
        let isComplete = scanner.elements(between: UInt8(ascii: "{"), and: UInt8(ascii: "}")) { scanner in
            guard let name = scanner.takeString() else { return false }
            scanner.skipBlank()
            guard scanner.take(UInt8(ascii: ":")) else { return false }
            guard let value = scanner.takeValue() else { return false }
            members.append((name, value))
            return true
        }
        return isComplete ? members : nil
    }

    /// Returns the elements of an array, or `nil` if the text is not an array of at most `limit` elements.
    static func elements(of data: Data, upTo limit: Int) -> [Data]? {
        var elements: [Data] = []
        var scanner = RawJSON(data)
        let isComplete = scanner.elements(between: UInt8(ascii: "["), and: UInt8(ascii: "]")) { scanner in
            guard elements.count < limit, let value = scanner.takeValue() else { return false }
            elements.append(value)
            return true
        }
        return isComplete ? elements : nil
    }

    /// Returns an object with the given members.
    static func object(_ members: [(name: String, value: Data)]) throws -> Data {
        var data = Data("{".utf8)
        for (index, member) in members.enumerated() {
            if index > 0 { data += Data(",".utf8) }
            data += try JSONEncoder.errand.encode(member.name) + Data(":".utf8) + member.value
        }
        return data + Data("}".utf8)
    }

    /// Returns a string with the escape sequences that are required (RFC 8259, section 7).
    static func string(_ text: String) -> Data {
        var data = Data("\"".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): data += [UInt8(ascii: "\\"), byte]
            case ..<0x20: data += Data("\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: data.append(byte)
            }
        }
        data.append(UInt8(ascii: "\""))
        return data
    }

    /// Returns an array of the given elements.
    static func array(_ elements: [Data]) -> Data {
        Data("[".utf8) + Data(elements.joined(separator: Data(",".utf8))) + Data("]".utf8)
    }
}

extension RawJSON {
    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipBlank() {
        while let byte = current, " \t\r\n".utf8.contains(byte) { index += 1 }
    }

    private mutating func elements(between open: UInt8, and close: UInt8, _ element: (inout RawJSON) -> Bool) -> Bool {
        skipBlank()
        guard take(open) else { return false }
        skipBlank()
        var isFirst = true
        while !take(close) {
            guard isFirst || take(UInt8(ascii: ",")) else { return false }
            isFirst = false
            skipBlank()
            guard element(&self) else { return false }
            skipBlank()
        }
        skipBlank()
        return current == nil
    }

    private mutating func takeString() -> String? {
        let start = index
        guard skipString() else { return nil }
        let text = bytes[start..<index].dropFirst().dropLast()
        if !text.contains(UInt8(ascii: "\\")) { return String(bytes: text, encoding: .utf8) }
        return try? JSONDecoder().decode(String.self, from: Data(bytes[start..<index]))
    }

    /// Skips a string. Returns `false` if the next value is not a string.
    private mutating func skipString() -> Bool {
        guard take(UInt8(ascii: "\"")) else { return false }
        while let byte = current {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return index <= bytes.count }
        }
        return false
    }

    /// Consumes a value up to the next comma or closing bracket. Returns `nil` if it is missing or incomplete.
    private mutating func takeValue() -> Data? {
        skipBlank()
        let start = index
        var depth = 0
        scan: while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                guard skipString() else { return nil }
                continue scan
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { break scan }
                depth -= 1
            case UInt8(ascii: ","): if depth == 0 { break scan }
            default: break
            }
            index += 1
        }
        guard start < min(index, bytes.count), depth == 0 else { return nil }
        return Data(bytes[start..<index])
    }
}
