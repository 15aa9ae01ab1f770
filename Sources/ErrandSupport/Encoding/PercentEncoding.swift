/// Percent-encoding of single names and values (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// A name or value as a query holds it: all but the unreserved characters as `%XX` of their UTF-8
    /// (RFC 3986, sections 2.3 and 3.4).
    package static func query(_ text: String) -> String {
        encoded(text, keeping: \.isUnreserved)
    }

    /// A name or value as a form body holds it: a space is `+`, alphanumerics and `*-._` stay, the rest is `%XX`
    /// (URL standard, section 5.2, with the percent-encode set of section 1.3).
    package static func form(_ text: String) -> String {
        encoded(text, spaceAsPlus: true) { $0.isAlphanumeric || "*-._".utf8.contains($0) }
    }

    /// The bytes that a percent-encoded text stands for; a `%` without two hexadecimal digits stands for itself
    /// (URL standard, section 1.3).
    package static func decoded(_ text: some StringProtocol) -> [UInt8] {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            let octet = bytes.octet(at: place)
            result.append(octet ?? bytes[place])
            place += octet == nil ? 1 : 3
        }
        return result
    }

    /// The text that a name or value of a form stands for: a `+` is a space, and what is no UTF-8 is replaced
    /// (URL standard, section 5.1).
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
    /// This text with every character that may not stand as it is percent-encoded in UTF-8 (RFC 3986, section 2.1).
    ///
    /// Unreserved characters always stay. With `keepingReserved` the reserved ones and valid triplets stay too, and
    /// only a `%` that starts no triplet becomes `%25`: the rule for literal text and for `+` and `#` expressions
    /// (RFC 6570, sections 3.1 and 3.2.3).
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
    /// Whether a valid `%XX` starts here.
    package func hasTriplet(at index: Int) -> Bool {
        octet(at: index) != nil
    }

    /// Adds a byte as `%XX`, in upper case (RFC 3986, section 2.1).
    package mutating func appendTriplet(_ byte: UInt8) {
        let digits = Array("0123456789ABCDEF".utf8)
        append(contentsOf: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }

    /// The byte that the `%XX` at a place stands for, nil where there is none.
    package func octet(at index: Int) -> UInt8? {
        guard index + 2 < count, self[index] == UInt8(ascii: "%") else { return nil }
        guard let high = self[index + 1].hexValue, let low = self[index + 2].hexValue else { return nil }
        return high << 4 | low
    }
}

extension UInt8 {
    /// `unreserved` (RFC 3986, section 2.3).
    package var isUnreserved: Bool { isAlphanumeric || "-._~".utf8.contains(self) }

    /// `reserved` (RFC 3986, section 2.2).
    package var isReserved: Bool { ":/?#[]@!$&'()*+,;=".utf8.contains(self) }
}
