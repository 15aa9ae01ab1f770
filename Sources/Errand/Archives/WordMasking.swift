import ErrandSupport

/// Masks the values of hidden names in text outside of JSON strings: `name=value`, `name: value`, and the user
/// information of URLs.
struct WordMasking {
    private static let separators = Set("?&;,<> \t\r\n#/(){}[]|".utf8)
    private static let lineEnds: Set<UInt8> = [0x0A, 0x0D]
    private static let valueEnds = Set("&;,<> \t\r\n\"".utf8)
    private static let authorityEnds = Set("/?# \"<>\\\t\r\n".utf8)
    /// The maximum length of a name. A longer word is compared by its last bytes.
    private static let nameLimit = 256

    private let bytes: ArraySlice<UInt8>
    private var index: Int
    private var word: Int
    /// The last word, if only blanks follow it.
    private var lastWord: Range<Int>?
    private(set) var output: [UInt8] = []
    /// The hidden values.
    private(set) var found: [String] = []
    /// Whether the text ends with a hidden name, so that the following string is its value.
    private(set) var endsWithHiddenName = false
    /// Whether the text ends within the hidden value of a line, so that the value continues up to the line break.
    private(set) var endsInHiddenLine = false

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        (index, word) = (bytes.startIndex, bytes.startIndex)
    }

    mutating func mask(isHidden: (String) -> Bool, isSecret: (String) -> Bool) {
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "="), isHidden(name) {
                maskValue(upTo: Self.valueEnds)
            } else if byte == UInt8(ascii: ":"), isHidden(name) {
                // A header or a line of a dump, such as `Authorization: Bearer …`.
                maskValue(upTo: Self.lineEnds)
            } else if byte == UInt8(ascii: "/"), index + 1 < bytes.endIndex, bytes[index + 1] == byte {
                finishWord(isSecret, with: 2)
                maskUser()
            } else if byte == UInt8(ascii: "=") || byte == UInt8(ascii: ":") || Self.separators.contains(byte) {
                finishWord(isSecret, with: 1)
            } else {
                index += 1
            }
        }
        finishWord(isSecret, with: 0)
    }

    /// The word before `=` or `:`. There may be blanks between them.
    private var name: String {
        let name = bytes[word == index ? lastWord ?? word..<index : word..<index].suffix(Self.nameLimit)
        guard !name.isEmpty else { return "" }
        let text = String(decoding: name, as: UTF8.self)
        return text.utf8.contains(UInt8(ascii: "%"))
            ? String(decoding: PercentEncoding.decoded(text), as: UTF8.self) : text
    }

    /// Adds the present word and the following bytes to the output. A number that is a secret is replaced by 0, so that
    /// JSON remains valid.
    private mutating func finishWord(_ isSecret: (String) -> Bool, with count: Int) {
        let text = bytes[word..<index]
        let isNumber = text.count >= SecretFinder.shortest && text.allSatisfy { "0123456789.+-eE".utf8.contains($0) }
        output += isNumber && isSecret(String(decoding: text, as: UTF8.self)) ? [UInt8(ascii: "0")] : Array(text)
        let separators = bytes[index..<(index + count)]
        if !text.isEmpty { lastWord = word..<index }
        if !separators.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { lastWord = nil }
        output += separators
        index += count
        word = index
    }

    /// Replaces the value after a hidden name.
    private mutating func maskValue(upTo ends: Set<UInt8>) {
        output += bytes[word...index]
        index += 1
        lastWord = nil
        while index < bytes.endIndex, bytes[index] == 0x20 || bytes[index] == 0x09 {
            output.append(bytes[index])
            index += 1
        }
        word = index
        guard index < bytes.endIndex else {
            endsWithHiddenName = true
            return
        }
        let isQuoted = bytes[index] == UInt8(ascii: "'")
        let ends: Set<UInt8> = isQuoted ? [UInt8(ascii: "'"), 0x0A, 0x0D] : ends
        let start = isQuoted ? index + 1 : index
        let end = bytes[start...].firstIndex(where: ends.contains) ?? bytes.endIndex
        let value = String(decoding: bytes[start..<end], as: UTF8.self)
        if !value.isEmpty {
            found += [value, String(decoding: PercentEncoding.decoded(value), as: UTF8.self)]
            // The credentials after the scheme of a header.
            if let blank = value.lastIndex(of: " ") { found.append(String(value[blank...].dropFirst())) }
            output += Array(((isQuoted ? "'" : "") + Redaction.mask).utf8)
            endsInHiddenLine = !isQuoted && ends == Self.lineEnds && end == bytes.endIndex
        }
        (index, word) = (end, end)
    }

    /// Replaces the user information after `//` (RFC 3986, section 3.2.1).
    private mutating func maskUser() {
        let end = bytes[index...].firstIndex(where: Self.authorityEnds.contains) ?? bytes.endIndex
        guard let at = bytes[index..<end].lastIndex(of: UInt8(ascii: "@")) else { return }
        let user = String(decoding: bytes[index..<at], as: UTF8.self)
        found += user.split(separator: ":").map { String(decoding: PercentEncoding.decoded(String($0)), as: UTF8.self) }
        output += Array(Redaction.mask.utf8)
        (index, word) = (at, at)
    }
}
