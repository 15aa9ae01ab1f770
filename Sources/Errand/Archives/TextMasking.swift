import ErrandSupport

/// Masks the hidden values of a text without regard to its format: members of JSON, `name=value` pairs, `name: value`
/// lines, and user information of URLs. The text may be truncated, and JSON may be part of another text.
///
/// Masked JSON can still be decoded into the same types. The time is linear in the length of the text.
struct TextMasking {
    /// The text that replaces a hidden string in JSON. A token that is replayed must be valid in a header.
    static let token: String = "REDACTED"
    /// JSON in strings of JSON is masked up to this depth.
    private static let maximumDepth = 3

    let redaction: Redaction
    /// The known secrets.
    let finder: SecretFinder?
    /// The hidden values that were found, without escapes.
    private(set) var found: [String] = []

    init(_ redaction: Redaction, _ finder: SecretFinder?) {
        (self.redaction, self.finder) = (redaction, finder)
    }

    mutating func masked(_ text: String, as kind: MarkupMasking.Kind? = nil) -> String {
        if finder == nil { found += WebTokens.found(in: text) }
        return masked(text, as: kind, depth: 0)
    }

    /// Notes a hidden value.
    mutating func note(_ value: some StringProtocol) {
        found.append(String(value))
    }

    private mutating func masked(_ text: String, as kind: MarkupMasking.Kind?, depth: Int) -> String {
        guard text.utf8.count >= SecretFinder.shortest else { return text }
        let bytes: [UInt8]
        if kind != nil || text.utf8.first(where: { !$0.isJSONSpace }) == UInt8(ascii: "<") {
            var markup = MarkupMasking(text, as: kind ?? .html)
            bytes = markup.masked {
                scan($0, depth: depth)
            } hides: {
                redaction.hides($0)
            } note: {
                note($0)
            }
        } else {
            bytes = scan(Array(text.utf8), depth: depth)
        }
        let masked = String(decoding: bytes, as: UTF8.self)
        guard let finder else { return masked }
        let result = finder.masked(masked)
        // The strings and numbers of JSON were searched one by one, so that it remains valid.
        return result == masked || Self.isJSON(masked) ? masked : result
    }

    private static func isJSON(_ text: String) -> Bool {
        guard let first = text.utf8.first(where: { !$0.isJSONSpace }), "{[".utf8.contains(first) else { return false }
        if (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil { return true }
        return text.utf8.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
            line.allSatisfy(\.isJSONSpace) || (try? JSONSerialization.jsonObject(with: Data(line))) != nil
        }
    }

    private mutating func scan(_ bytes: [UInt8], depth: Int) -> [UInt8] {
        var tokens = JSONTokens(bytes)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var members = NamedValue(bytes) { [redaction] in redaction.hides($0) }
        var hidesLine = false
        while let token = tokens.next() {
            var gap = bytes[token.gap]
            if hidesLine {
                let end = gap.firstIndex { $0 == 0x0A || $0 == 0x0D }
                (gap, hidesLine) = (gap[(end ?? gap.endIndex)...], end == nil)
            }
            var words = WordMasking(gap)
            words.mask(isHidden: { redaction.hides($0) }, isSecret: { finder?.isSecret($0) ?? false })
            found += words.found
            output += words.output
            members.pass(bytes[token.gap])
            guard let string = token.string else { continue }
            let text = tokens.text(of: string)
            hidesLine = hidesLine || words.endsInHiddenLine
            if hidesLine {
                note(text)
            } else if token.isName {
                output += key(text, bytes[string]) + bytes[string.upperBound..<token.end]
                output += value(of: text, &tokens, &members)
            } else if members.takesName(), redaction.hides(text) {
                output += bytes[string]
            } else if words.endsWithHiddenName {
                note(text)
                output += Self.quoted(Self.token, isClosed: token.isClosed)
            } else {
                output += shown(text, bytes[string], isClosed: token.isClosed, depth: depth)
            }
        }
        return output
    }

    /// Consumes the value of a hidden member, and returns its replacement. Returns no bytes for another member, and does
    /// not consume its value.
    private mutating func value(
        of name: String, _ tokens: inout JSONTokens, _ members: inout NamedValue
    ) -> [UInt8] {
        guard members.hidesValue(of: name) || redaction.hides(name) else { return [] }
        return hiddenValue(&tokens)
    }

    private func key(_ text: String, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
        // The name of a member must not change because a value is equal to it.
        guard let finder, text.utf8.count >= 16, case let masked = finder.masked(text), masked != text else {
            return Array(bytes)
        }
        return Self.quoted(masked)
    }

    private mutating func shown(
        _ text: String, _ bytes: ArraySlice<UInt8>, isClosed: Bool, depth: Int
    ) -> [UInt8] {
        var masked = text
        if depth < Self.maximumDepth, text.utf8.contains(where: "=:<\"/".utf8.contains) {
            masked = self.masked(text, as: nil, depth: depth + 1)
        } else if let finder {
            masked = finder.masked(text)
        }
        return masked == text ? Array(bytes) : Self.quoted(masked, isClosed: isClosed)
    }

    /// Consumes the value of a hidden member, and returns its replacement. Objects and arrays keep their structure.
    private mutating func hiddenValue(_ tokens: inout JSONTokens) -> [UInt8] {
        var output: [UInt8] = []
        for part in tokens.takeValue() {
            switch part {
            case .string(let text, let isClosed):
                note(text)
                output += Self.quoted(Self.token, isClosed: isClosed)
            case .number(let text):
                let isShort = text.utf8.count < SecretFinder.shortest
                if !isShort { note(text) }
                output += Array((isShort ? text : "0").utf8)
            case .other(let bytes): output += bytes
            }
        }
        return output
    }

    static func quoted(_ text: String, isClosed: Bool = true) -> [UInt8] {
        let bytes = (try? JSONEncoder.errand.encode(text)).map { Array($0) } ?? Array("\"\(token)\"".utf8)
        return isClosed ? bytes : bytes.dropLast()
    }
}

extension UInt8 {
    /// Whether this is white space of JSON (RFC 8259, section 2).
    var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
