import ErrandSupport

extension Redaction {
    /// A JSON text whose hidden members are masked, byte for byte the same elsewhere; nil for what is no JSON object or
    /// array.
    ///
    /// The text itself is gone through, not what a parser keeps of it: of members with the same name a parser drops all
    /// but one, which must not bring a secret past the mask.
    package func maskedJSON(_ text: String) -> String? {
        // With NUL in it, a parser might take the text for UTF-16.
        guard !text.utf8.contains(0) else { return nil }
        guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else { return nil }
        guard value is [String: Any] || value is [Any] else { return nil }
        var scanner = JSONMasking(text, hiding: self)
        return scanner.masked()
    }

    /// A form body, or a query, whose hidden values are masked, and so are values that are addresses with a secret.
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

/// Goes through a text that is known to be JSON (RFC 8259), and puts a mask in the place of hidden members' values.
private struct JSONMasking {
    private let redaction: Redaction
    private let bytes: [UInt8]
    private var place = 0
    private var output: [UInt8] = []

    init(_ text: String, hiding redaction: Redaction) {
        self.redaction = redaction
        bytes = Array(text.utf8)
    }

    mutating func masked() -> String {
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "\"") else {
                output.append(bytes[place])
                place += 1
                continue
            }
            let text = takeString()
            let blank = takeBlank()
            guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else {
                output += shown(text) + blank
                continue
            }
            place += 1
            output += text + blank + [UInt8(ascii: ":")] + takeBlank()
            guard redaction.hides(plain(text)) else { continue }
            skipValue()
            output += Array("\"\(Redaction.mask)\"".utf8)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// A string with its quotes.
    private mutating func takeString() -> [UInt8] {
        let start = place
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place + 1, bytes.count)
        return Array(bytes[start..<place])
    }

    private mutating func takeBlank() -> [UInt8] {
        let start = place
        while place < bytes.count, " \t\r\n".utf8.contains(bytes[place]) { place += 1 }
        return Array(bytes[start..<place])
    }

    /// Leaves out a value of any kind, up to what follows it.
    private mutating func skipValue() {
        var depth = 0
        while place < bytes.count {
            switch bytes[place] {
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
            place += 1
        }
    }

    /// What a string stands for, its escapes resolved: `"tok\u0065n"` names a token, too.
    private func plain(_ text: [UInt8]) -> String {
        (try? JSONDecoder().decode(String.self, from: Data(text))) ?? String(decoding: text, as: UTF8.self)
    }

    /// A string value, whose addresses are masked where they hold a secret.
    private func shown(_ text: [UInt8]) -> [UInt8] {
        let value = plain(text)
        let masked = redaction.masked(value)
        guard masked != value, let data = try? JSONEncoder.errand.encode(masked) else { return text }
        return Array(data)
    }
}
