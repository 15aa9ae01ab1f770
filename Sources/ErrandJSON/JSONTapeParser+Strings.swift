import ErrandSupport

extension JSONTapeParser {
    /// Parses a string that is a value.
    mutating func string() -> Bool {
        let start = index + 1
        guard let text = text() else { return false }
        append(text.isEscaped ? .escapedString : .string, start, index - 1)
        return true
    }

    /// Parses a key, and replaces it by its final text.
    mutating func key() -> Bool {
        let start = index + 1
        guard let text = text() else { return false }
        let end = index - 1
        guard text.isEscaped || convertsSnakeCase else {
            append(text.isASCII ? .string : .wideKey, start, end)
            return true
        }
        var key = UnsafeMutableBufferPointer(rebasing: bytes[start..<end])
        if text.isEscaped {
            key = UnsafeMutableBufferPointer(
                start: key.baseAddress, count: JSONEscapes.replace(in: UnsafeBufferPointer(key), to: key))
        }
        let isASCII = key.allSatisfy { $0 < 0x80 }
        var count = key.count
        if convertsSnakeCase, key.contains(UInt8(ascii: "_")) {
            guard isASCII, let converted = SnakeCase.convert(key) else { return false }
            count = converted
        }
        // The complete text is validated as UTF-8 afterwards.
        bytes[start + count..<end].update(repeating: UInt8(ascii: " "))
        append(isASCII ? .string : .wideKey, start, start + count)
        return true
    }

    /// Skips a string with both quotation marks.
    private mutating func text() -> (isEscaped: Bool, isASCII: Bool)? {
        index += 1
        var (isEscaped, high): (Bool, UInt64) = (false, 0)
        while true {
            skipPlain(&high)
            guard index < bytes.count else { return nil }
            let byte = bytes[index]
            high |= UInt64(byte)
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                let isASCII = high & 0x8080_8080_8080_8080 == 0
                if !isASCII { self.isASCII = false }
                return (isEscaped, isASCII)
            case UInt8(ascii: "\\"):
                guard escape() else { return nil }
                isEscaped = true
            case ..<0x20: return nil
            default: break
            }
        }
    }

    /// Skips bytes up to a quotation mark, a backslash or a control character, in blocks of eight.
    @inline(__always)
    private mutating func skipPlain(_ high: inout UInt64) {
        let ones: UInt64 = 0x0101_0101_0101_0101, tops: UInt64 = 0x8080_8080_8080_8080
        let text = UnsafeRawBufferPointer(bytes)
        while index + 8 <= text.count {
            let block = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let quotes = block ^ (ones &* UInt64(UInt8(ascii: "\"")))
            let backslashes = block ^ (ones &* UInt64(UInt8(ascii: "\\")))
            // The top bit of each byte that is a quotation mark, a backslash or a control character. Only the lowest
            // bit is reliable.
            let found =
                tops
                & ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (block &- ones &* 0x20) & ~block)
            guard found == 0 else {
                let skipped = found.trailingZeroBitCount & ~7
                high |= block & ~(UInt64.max << UInt64(skipped))
                index += skipped / 8
                return
            }
            high |= block
            index += 8
        }
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
