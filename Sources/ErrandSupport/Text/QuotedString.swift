/// Quoted strings in headers (RFC 9110, section 5.6.4).
package enum QuotedString {
    /// Returns the value of a quoted string from the index after its opening quote, with escapes resolved. Sets `index`
    /// to the index after the closing quote. An unterminated string extends to the end.
    package static func rest(of bytes: [UInt8], from index: inout Int) -> String {
        var value: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\"), index < bytes.count {
                value.append(bytes[index])
                index += 1
            } else {
                value.append(byte)
            }
        }
        return String(decoding: value, as: UTF8.self)
    }
}
