import Foundation

/// The escape sequences of JSON strings (RFC 8259, section 7).
enum JSONEscapes {
    /// Copies a string, and replaces its escape sequences, which were already checked. The result is never longer.
    ///
    /// - Parameters:
    ///   - text: The bytes between the quotation marks.
    ///   - target: A buffer of at least the size of `text`. It may be the memory of `text`.
    /// - Returns: The number of bytes that were written.
    static func replace(in text: UnsafeBufferPointer<UInt8>, to target: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard let source = text.baseAddress, let destination = target.baseAddress else { return 0 }
        var (index, count) = (0, 0)
        while index < text.count {
            let found = memchr(source + index, Int32(UInt8(ascii: "\\")), text.count - index)
            let run = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(source + index) } ?? text.count - index
            UnsafeMutableRawPointer(destination + count).copyMemory(from: source + index, byteCount: run)
            (index, count) = (index + run, count + run)
            guard index + 1 < text.count else { break }
            let escape = text[index + 1]
            index += 2
            if escape == UInt8(ascii: "u") {
                write(scalar(text, &index), to: target, at: &count)
            } else {
                target[count] = character(escape)
                count += 1
            }
        }
        return count
    }

    private static func character(_ escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: escape
        }
    }

    /// Reads the digits of a code unit, and the second half of a surrogate pair.
    private static func scalar(_ text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32 {
        let first = unit(text, &index)
        guard first & 0xFC00 == 0xD800 else { return first }
        index += 2
        return 0x10000 + (first & 0x3FF) << 10 + unit(text, &index) & 0x3FF
    }

    private static func unit(_ text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32 {
        var unit: UInt32 = 0
        for digit in text[index..<index + 4] {
            // The low four bits of a letter are its value minus 9.
            unit = unit << 4 | UInt32(digit & 0xF) + (digit >= UInt8(ascii: "A") ? 9 : 0)
        }
        index += 4
        return unit
    }

    /// Writes a scalar in UTF-8.
    private static func write(_ scalar: UInt32, to target: UnsafeMutableBufferPointer<UInt8>, at count: inout Int) {
        func add(_ bits: UInt32) {
            target[count] = UInt8(truncatingIfNeeded: bits)
            count += 1
        }
        switch scalar {
        case ..<0x80: add(scalar)
        case ..<0x800:
            add(0xC0 | scalar >> 6)
            add(0x80 | scalar & 0x3F)
        case ..<0x10000:
            add(0xE0 | scalar >> 12)
            add(0x80 | scalar >> 6 & 0x3F)
            add(0x80 | scalar & 0x3F)
        default:
            add(0xF0 | scalar >> 18)
            add(0x80 | scalar >> 12 & 0x3F)
            add(0x80 | scalar >> 6 & 0x3F)
            add(0x80 | scalar & 0x3F)
        }
    }
}
