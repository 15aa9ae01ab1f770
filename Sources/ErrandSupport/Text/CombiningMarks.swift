package import Foundation

/// Finds text that Swift's `String` cannot compare or hash in linear time.
///
/// `String` compares and hashes by canonical equivalence, for which it sorts each run of combining marks by insertion
/// (Unicode Standard, section 3.11). The time is quadratic in the length of a run if its marks are out of order.
package struct CombiningMarks {
    /// The maximum length of a run with marks out of order.
    ///
    /// The Stream-Safe Text Format (UAX #15) allows 30. Generators of "Zalgo" text write up to about 140.
    package static let limit = 256
    /// The bytes of the shortest run that exceeds the limit: a mark has at least two bytes in UTF-8.
    private static let shortest = 2 * (limit + 1)

    private let bytes: UnsafeBufferPointer<UInt8>
    /// Whether `\u0301` represents a mark, as in a JSON string.
    private let hasEscapes: Bool

    /// Whether UTF-8 text has a run of more than ``limit`` marks that are out of order.
    ///
    /// Text without long sequences of non-ASCII characters is only sampled.
    /// - Parameters:
    ///   - bytes: The text.
    ///   - escapes: Whether the text is JSON, in which `\u0301` represents a mark.
    /// - Returns: `true` if `String` needs quadratic time for the text.
    package static func exceedLimit(in bytes: UnsafeBufferPointer<UInt8>, escapes: Bool) -> Bool {
        CombiningMarks(bytes: bytes, hasEscapes: escapes).exceedLimit
    }

    /// Whether a string of a JSON text has a run of more than ``limit`` marks that are out of order.
    package static func exceedLimit(inJSON text: Data) -> Bool {
        text.jsonInUTF8.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { exceedLimit(in: $0, escapes: true) }
        }
    }

    private var exceedLimit: Bool {
        // Each sequence that is long enough contains one of the sampled bytes.
        var sample = Self.shortest - 1
        while sample < bytes.count {
            guard mayBelongToMark(bytes[sample]) else {
                sample += Self.shortest
                continue
            }
            var (start, end) = (sample, sample + 1)
            while start > 0, mayBelongToMark(bytes[start - 1]) { start -= 1 }
            while end < bytes.count, mayBelongToMark(bytes[end]) { end += 1 }
            if end - start >= Self.shortest, exceedsLimit(start..<end) { return true }
            sample = end + Self.shortest
        }
        return false
    }

    private func mayBelongToMark(_ byte: UInt8) -> Bool {
        byte >= 0x80 || hasEscapes && (byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "u") || byte.hexValue != nil)
    }

    private func exceedsLimit(_ stretch: Range<Int>) -> Bool {
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[stretch]), as: UTF8.self)
        var scalars = text.unicodeScalars.makeIterator()
        var (length, last, isSorted) = (0, Unicode.CanonicalCombiningClass.notReordered, true)
        while let written = scalars.next() {
            let scalar = hasEscapes && written == "\\" ? Self.escaped(&scalars) : written
            let order = scalar.properties.canonicalCombiningClass
            if order == .notReordered {
                (length, isSorted) = (0, true)
            } else {
                length += 1
                if order < last { isSorted = false }
                if length > Self.limit, !isSorted { return true }
            }
            last = order
        }
        return false
    }

    /// The character of an escape. Returns the replacement character if it is not a mark.
    private static func escaped(_ scalars: inout String.UnicodeScalarView.Iterator) -> Unicode.Scalar {
        guard scalars.next() == "u" else { return "\u{FFFD}" }
        let unit = unit(&scalars)
        guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
        guard scalars.next() == "\\", scalars.next() == "u" else { return "\u{FFFD}" }
        let pair = [unit, Self.unit(&scalars)]
        return String(decoding: pair, as: UTF16.self).unicodeScalars.first ?? "\u{FFFD}"
    }

    private static func unit(_ scalars: inout String.UnicodeScalarView.Iterator) -> UInt16 {
        (0..<4).reduce(0) { unit, _ in
            let digit = scalars.next().flatMap { UInt8(exactly: $0.value) }?.hexValue
            return unit << 4 | UInt16(digit ?? 0)
        }
    }
}

extension String {
    /// Whether the text has more consecutive combining marks than can be compared in linear time.
    package var hasTooManyMarks: Bool {
        var copy = self
        return copy.withUTF8 { CombiningMarks.exceedLimit(in: $0, escapes: false) }
    }
}
