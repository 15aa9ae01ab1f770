/// Finds JSON Web Tokens (RFC 7519) in a text. Such a token is a secret in any position.
enum WebTokens {
    /// The start of each token: `{"` in base64url.
    private static let start = Array("eyJ".utf8)
    /// The minimum length: 32 bytes.
    private static let shortest = 32

    /// Returns the tokens of a text: two to five parts in base64url, separated by dots.
    static func found(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        var found: [String] = []
        var index = 0
        while let first = bytes[index...].firstIndex(of: start[0]) {
            guard bytes[first...].starts(with: start) else {
                index = first + 1
                continue
            }
            let end = bytes[first...].firstIndex { !isPart($0) } ?? bytes.count
            if let token = token(bytes[first..<end]) { found.append(token) }
            index = end
        }
        return found
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }

    private static func token(_ bytes: ArraySlice<UInt8>) -> String? {
        let text = bytes.last == UInt8(ascii: ".") ? bytes.dropLast() : bytes
        guard text.count >= shortest, (2...5).contains(text.split(separator: UInt8(ascii: ".")).count) else {
            return nil
        }
        return String(decoding: text, as: UTF8.self)
    }
}
