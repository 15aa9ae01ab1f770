/// Quoted strings in header fields (RFC 9110, section 5.6.4).
package enum QuotedString {
    /// The rest of one behind its opening quote, its escapes undone; `place` goes behind the closing quote. One that is not
    /// closed reaches to the end.
    package static func rest(of bytes: [UInt8], from place: inout Int) -> String {
        var value: [UInt8] = []
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\"), place < bytes.count {
                value.append(bytes[place])
                place += 1
            } else {
                value.append(byte)
            }
        }
        return String(decoding: value, as: UTF8.self)
    }
}
