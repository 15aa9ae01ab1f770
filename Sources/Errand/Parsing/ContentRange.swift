import ErrandSupport

/// A `Content-Range` header in bytes (RFC 9110, section 14.4).
package struct ContentRange: Sendable, Hashable {
    /// The first and the last byte, counted from 0, or `nil` if the requested range was not satisfiable (status 416).
    package let range: ClosedRange<Int64>?
    /// The length of the complete representation in bytes, or `nil` if the server does not know it.
    package let completeLength: Int64?

    /// Parses `bytes 0-99/200`, `bytes 0-99/*` or `bytes */200`. Returns `nil` for any other text.
    ///
    /// Parsing is strict. A range must end before the complete length, and all numbers must fit into 63 bits.
    package init?(_ value: String) {
        let unit = "bytes ".utf8
        guard value.utf8.prefix(unit.count).map(\.lowercased).elementsEqual(unit) else { return nil }
        let parts = value.utf8.dropFirst(unit.count)
            .split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let length = Self.unlessMissing(parts[1]), let range = Self.range(parts[0]) else {
            return nil
        }
        // Neither a range nor a length would say nothing.
        guard range != nil || length != nil else { return nil }
        if let range, let length, range.upperBound >= length { return nil }
        self.range = range
        completeLength = length
    }

    /// The number of bytes of the range. 0 if there is no range.
    package var count: Int64 { range.map { $0.upperBound - $0.lowerBound + 1 } ?? 0 }

    /// Returns the range, or `.some(nil)` for `*`. Returns `nil` if the text is malformed.
    private static func range(_ text: Substring.UTF8View) -> ClosedRange<Int64>?? {
        if isMissing(text) { return .some(nil) }
        let ends = text.split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]), first <= last, last < .max
        else { return nil }
        return .some(first...last)
    }

    /// Returns the number, or `.some(nil)` for `*`. Returns `nil` if the text is malformed.
    private static func unlessMissing(_ text: Substring.UTF8View) -> Int64?? {
        isMissing(text) ? .some(nil) : number(text).map { .some($0) }
    }

    private static func isMissing(_ text: Substring.UTF8View) -> Bool { text.elementsEqual("*".utf8) }

    private static func number(_ digits: Substring.UTF8View) -> Int64? {
        digits.allSatisfy(\.isDigit) ? Int64(Substring(digits)) : nil
    }
}

/// A range of bytes for a `Range` header (RFC 9110, section 14.1.2).
package struct ByteRange: Sendable, Hashable {
    /// The first byte, counted from 0.
    package let first: Int64
    /// The last byte, or `nil` for the rest of the representation.
    package let last: Int64?

    /// Creates the range from a byte to the end. Returns `nil` for a negative number.
    package init?(from first: Int64) {
        guard first >= 0 else { return nil }
        (self.first, last) = (first, nil)
    }

    /// Creates a range from its first to its last byte. Returns `nil` for a negative number.
    package init?(_ range: ClosedRange<Int64>) {
        guard range.lowerBound >= 0 else { return nil }
        (first, last) = (range.lowerBound, range.upperBound)
    }

    /// The header, such as `Range: bytes=500-` or `Range: bytes=0-99`.
    package var header: HeaderFields.Field {
        HeaderFields.Field("Range", "bytes=\(first)-\(last.map { "\($0)" } ?? "")")
    }
}
