import ErrandSupport
package import Foundation

/// A JSON text for Foundation's decoder, with corrections for two defects of that decoder.
///
/// Foundation accepts a comma after the last element or member, which RFC 8259 does not allow. It rejects the number
/// `0e1` as a `Double`, although it is zero.
package struct JSONText {
    /// The text, without the exponents of zeros.
    package private(set) var data: Data
    /// The offset of the first comma after a last element or member.
    package private(set) var trailingComma: Int?

    package init(_ data: Data) {
        self.data = data.jsonInUTF8
        let (comma, exponents) = self.data.withUnsafeBytes { bytes in
            var scanner = Scanner(bytes: bytes)
            scanner.scan()
            return (scanner.trailingComma, scanner.exponents)
        }
        trailingComma = comma
        guard !exponents.isEmpty else { return }
        var bytes = [UInt8](self.data)
        for index in exponents.joined() { bytes[index] = UInt8(ascii: " ") }
        self.data = Data(bytes)
    }

    /// Whether a string has more consecutive combining marks than can be compared in linear time.
    var hasTooManyMarks: Bool { CombiningMarks.exceedLimit(inJSON: data) }

    private struct Scanner {
        let bytes: UnsafeRawBufferPointer
        var trailingComma: Int?
        /// The exponents of zeros.
        var exponents: [Range<Int>] = []
        private var index = 0

        init(bytes: UnsafeRawBufferPointer) {
            self.bytes = bytes
        }

        mutating func scan() {
            var comma: Int?
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
                case UInt8(ascii: ","): comma = index
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    if trailingComma == nil { trailingComma = comma }
                    comma = nil
                case UInt8(ascii: "\""):
                    skipString()
                    comma = nil
                case UInt8(ascii: "e"), UInt8(ascii: "E"):
                    skipExponent()
                    comma = nil
                default: comma = nil
                }
                index += 1
            }
        }

        /// Leaves the index at the closing quotation mark.
        private mutating func skipString() {
            index += 1
            while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
        }

        /// Leaves the index at the last byte of the exponent.
        private mutating func skipExponent() {
            var end = index + 1
            if end < bytes.count, bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "-") { end += 1 }
            let digits = end
            while end < bytes.count, bytes[end].isDigit { end += 1 }
            guard end > digits else { return }
            if isZero(before: index) { exponents.append(index..<end) }
            index = end - 1
        }

        /// Whether the digits before an offset form a zero.
        private func isZero(before end: Int) -> Bool {
            guard end > 0, bytes[end - 1] == UInt8(ascii: "0") else { return false }
            var start = end - 1
            while start > 0, bytes[start - 1] == UInt8(ascii: "0") || bytes[start - 1] == UInt8(ascii: ".") {
                start -= 1
            }
            return start == 0 || !bytes[start - 1].isDigit
        }
    }
}
