import ErrandSupport

/// A decoder of extended values such as `UTF-8'de'letztes%20Kapitel` (RFC 8187, section 3.2).
enum ExtendedValue {
    /// Returns the text, or `nil` if the format, the charset or an escape is invalid.
    ///
    /// The charsets are UTF-8, also in the form `utf8`, and ISO-8859-1, which RFC 5987 required. The characters
    /// `'()*` are accepted although they should be escaped, because `encodeURIComponent` of JavaScript does not escape
    /// them.
    static func text(_ value: String) -> String? {
        let parts = value.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = decoded(parts[2]) else { return nil }
        // One character more than the longest name of a charset.
        return switch String(decoding: parts[0].prefix(11).map(\.lowercased), as: UTF8.self) {
        case "utf-8", "utf8": String(validUTF8: bytes)
        case "iso-8859-1": String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: nil
        }
    }

    private static func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
        let bytes = Array(text)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard let octet = bytes.octet(at: index) else { return nil }
                result.append(octet)
                index += 3
            } else {
                guard byte.isTokenByte || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") else { return nil }
                result.append(byte)
                index += 1
            }
        }
        return result
    }
}
