import ErrandSupport

extension String {
    /// Returns the first characters of this text, counted in code points (RFC 6570, section 2.4.1).
    ///
    /// With `keepingTriplets`, the percent-encoded triplets of one code point count as one and are not split.
    func codePointPrefix(_ length: Int, keepingTriplets: Bool) -> String {
        guard keepingTriplets else { return String(String.UnicodeScalarView(unicodeScalars.prefix(length))) }
        let bytes = Array(utf8)
        var end = 0
        for _ in 0..<max(0, length) where end < bytes.count {
            end = bytes.endOfCodePoint(at: end)
        }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}

extension [UInt8] {
    /// Returns the end index of the code point that starts at an index, either unencoded or in percent-encoded
    /// triplets.
    fileprivate func endOfCodePoint(at start: Int) -> Int {
        guard let first = octet(at: start) else {
            var end = start + 1
            while end < count, self[end] & 0xC0 == 0x80 { end += 1 }
            return end
        }
        var end = start + 3
        for _ in 0..<first.continuationBytes {
            guard let next = octet(at: end), next & 0xC0 == 0x80 else { break }
            end += 3
        }
        return end
    }
}

extension UInt8 {
    /// The number of bytes that follow this one in a UTF-8 sequence.
    fileprivate var continuationBytes: Int {
        switch self {
        case 0xC2...0xDF: 1
        case 0xE0...0xEF: 2
        case 0xF0...0xF4: 3
        default: 0
        }
    }
}
