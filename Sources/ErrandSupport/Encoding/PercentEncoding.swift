/// Percent-encoding of single names and values (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// Encodes a name or value for a query. All characters except the unreserved ones become `%XX` of their UTF-8 (RFC
    /// 3986, sections 2.3 and 3.4).
    package static func query(_ text: String) -> String {
        encoded(text, keeping: \.isUnreserved)
    }

    /// Encodes a name or value for a form body. A space becomes `+`, alphanumerics and `*-._` are unchanged, and all
    /// other characters become `%XX` (URL Standard, section 5.2, with the percent-encode set of section 1.3).
    package static func form(_ text: String) -> String {
        encoded(text, spaceAsPlus: true) { $0.isAlphanumeric || "*-._".utf8.contains($0) }
    }

    /// Decodes a percent-encoded text. A `%` without two hexadecimal digits is unchanged (URL Standard, section 1.3).
    package static func decoded(_ text: some StringProtocol) -> [UInt8] {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let octet = bytes.octet(at: index)
            result.append(octet ?? bytes[index])
            index += octet == nil ? 1 : 3
        }
        return result
    }

    /// Decodes a name or value of a form. A `+` becomes a space, and invalid UTF-8 is replaced (URL Standard, section
    /// 5.1).
    package static func formText(_ text: some StringProtocol) -> String {
        String(decoding: decoded(String(text).replacing("+", with: " ")), as: UTF8.self)
    }

    private static func encoded(_ text: String, spaceAsPlus: Bool = false, keeping: (UInt8) -> Bool) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if keeping(byte) {
                result.append(byte)
            } else if byte == UInt8(ascii: " "), spaceAsPlus {
                result.append(UInt8(ascii: "+"))
            } else {
                result.appendTriplet(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension String {
    /// This text, percent-encoded in UTF-8 (RFC 3986, section 2.1).
    ///
    /// Unreserved characters are unchanged. With `keepingReserved`, reserved characters and valid triplets are
    /// unchanged too, and only a `%` that does not start a triplet becomes `%25`. This is the rule for literal text and
    /// for `+` and `#` expressions (RFC 6570, sections 3.1 and 3.2.3).
    package func percentEncoded(keepingReserved: Bool) -> String {
        let bytes = Array(utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let stays = byte.isUnreserved || (keepingReserved && (byte.isReserved || bytes.hasTriplet(at: index)))
            if stays { encoded.append(byte) } else { encoded.appendTriplet(byte) }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Whether a valid `%XX` starts at an index.
    package func hasTriplet(at index: Int) -> Bool {
        octet(at: index) != nil
    }

    /// Appends a byte as `%XX` with uppercase digits (RFC 3986, section 2.1).
    package mutating func appendTriplet(_ byte: UInt8) {
        let digits = Array("0123456789ABCDEF".utf8)
        append(contentsOf: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }

    /// The byte that the `%XX` at an index encodes, or `nil` if no `%XX` starts there.
    package func octet(at index: Int) -> UInt8? {
        guard index + 2 < count, self[index] == UInt8(ascii: "%") else { return nil }
        guard let high = self[index + 1].hexValue, let low = self[index + 2].hexValue else { return nil }
        return high << 4 | low
    }
}

extension UInt8 {
    /// Whether this is an unreserved character (RFC 3986, section 2.3).
    package var isUnreserved: Bool { isAlphanumeric || "-._~".utf8.contains(self) }

    /// Whether this is a reserved character (RFC 3986, section 2.2).
    package var isReserved: Bool { ":/?#[]@!$&'()*+,;=".utf8.contains(self) }
}
