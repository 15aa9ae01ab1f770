import ErrandSupport

extension Redaction {
    /// Returns a JSON text with masked values of hidden names, and otherwise identical bytes. Returns `nil` if the text
    /// is not a JSON object or array.
    ///
    /// The text itself is scanned, not the output of a parser: of several members with the same name, a parser keeps
    /// only one, and the others must not bypass the mask.
    package func maskedJSON(_ text: String) -> String? {
        // A parser might decode a text that contains NUL as UTF-16.
        guard !text.utf8.contains(0) else { return nil }
        guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else { return nil }
        guard value is [String: Any] || value is [Any] else { return nil }
        var scanner = JSONMasking(text, hiding: self)
        return scanner.masked()
    }

    /// Returns a form body or a query with masked values of hidden names. A value that is a URL with a secret is masked
    /// too.
    package func maskedForm(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard let mark = pair.firstIndex(of: "=") else { return masked(String(pair)) }
            let name = pair[..<mark]
            let value = Self.decoded(pair[mark...].dropFirst())
            let hidesAll = hides(Self.decoded(name)) || masked(value) != value
            return hidesAll ? "\(name)=\(Self.mask)" : masked(String(pair))
        }.joined(separator: "&")
    }

    private static func decoded(_ text: Substring) -> String {
        String(decoding: PercentEncoding.decoded(text), as: UTF8.self)
    }
}

/// Scans a text that is known to be JSON (RFC 8259), and replaces the values of hidden members with a mask.
private struct JSONMasking {
    private let redaction: Redaction
    private let bytes: [UInt8]
    private var index = 0
    private var output: [UInt8] = []

    init(_ text: String, hiding redaction: Redaction) {
        self.redaction = redaction
        bytes = Array(text.utf8)
    }

    mutating func masked() -> String {
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\"") else {
                output.append(bytes[index])
                index += 1
                continue
            }
            let text = takeString()
            let blank = takeBlank()
            guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else {
                output += shown(text) + blank
                continue
            }
            index += 1
            output += text + blank + [UInt8(ascii: ":")] + takeBlank()
            guard redaction.hides(plain(text)) else { continue }
            skipValue()
            output += Array("\"\(Redaction.mask)\"".utf8)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Consumes a string, and returns it with its quotes.
    private mutating func takeString() -> [UInt8] {
        let start = index
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index + 1, bytes.count)
        return Array(bytes[start..<index])
    }

    private mutating func takeBlank() -> [UInt8] {
        let start = index
        while index < bytes.count, " \t\r\n".utf8.contains(bytes[index]) { index += 1 }
        return Array(bytes[start..<index])
    }

    /// Skips a value of any kind.
    private mutating func skipValue() {
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                _ = takeString()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
            case UInt8(ascii: ","): if depth == 0 { return }
            default: break
            }
            index += 1
        }
    }

    /// Returns a string with its escapes decoded: `"tok\u0065n"` is the name of a token too.
    private func plain(_ text: [UInt8]) -> String {
        (try? JSONDecoder().decode(String.self, from: Data(text))) ?? String(decoding: text, as: UTF8.self)
    }

    /// Returns a string value, with masked URLs if they contain a secret.
    private func shown(_ text: [UInt8]) -> [UInt8] {
        let value = plain(text)
        let masked = redaction.masked(value)
        guard masked != value, let data = try? JSONEncoder.errand.encode(masked) else { return text }
        return Array(data)
    }
}
