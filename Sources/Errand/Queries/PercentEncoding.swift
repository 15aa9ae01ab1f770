/// Percent-encoding of single names and values (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// A name or value as a query holds it: all but the unreserved characters as `%XX` of their UTF-8
    /// (RFC 3986, sections 2.3 and 3.4).
    package static func query(_ text: String) -> String {
        encoded(text) { $0.isAlphanumeric || $0 == dash || $0 == dot || $0 == underscore || $0 == tilde }
    }

    /// A name or value as a form body holds it: a space is `+`, alphanumerics and `*-._` stay, the rest is `%XX`
    /// (URL standard, section 5.2, with the percent-encode set of section 1.3).
    package static func form(_ text: String) -> String {
        encoded(text, spaceAsPlus: true) {
            $0.isAlphanumeric || $0 == asterisk || $0 == dash || $0 == dot || $0 == underscore
        }
    }

    /// The bytes that a percent-encoded text stands for; a `%` without two hexadecimal digits stands for itself
    /// (URL standard, section 1.3).
    package static func decoded(_ text: some StringProtocol) -> [UInt8] {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes[place] == percent, place + 2 < bytes.count,
                let high = bytes[place + 1].hexValue, let low = bytes[place + 2].hexValue
            {
                result.append(high << 4 | low)
                place += 3
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return result
    }

    private static func encoded(_ text: String, spaceAsPlus: Bool = false, keeping: (UInt8) -> Bool) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if keeping(byte) {
                result.append(byte)
            } else if byte == space, spaceAsPlus {
                result.append(plus)
            } else {
                result += [percent, hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)
    private static let asterisk = UInt8(ascii: "*")
    private static let dash = UInt8(ascii: "-")
    private static let dot = UInt8(ascii: ".")
    private static let percent = UInt8(ascii: "%")
    private static let plus = UInt8(ascii: "+")
    private static let space = UInt8(ascii: " ")
    private static let tilde = UInt8(ascii: "~")
    private static let underscore = UInt8(ascii: "_")
}

extension UInt8 {
    fileprivate var isAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    fileprivate var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
