import ErrandSupport

/// Finds known secrets in a text, without regard to ASCII case, and masks them.
///
/// It finds a secret as it is, percent-encoded, with the escapes of JSON and HTML, as base64 and base64url at any
/// alignment, and as hexadecimal digits. It also finds a secret that is truncated before `…`. For each secret, the time
/// is linear in the length of the text.
struct SecretFinder: Sendable {
    /// The minimum size of a secret: 4 bytes. A shorter value could be part of any word.
    static let shortest = 4
    /// The minimum size of a secret that is searched for in base64, and of the start of a truncated secret: 6 bytes.
    private static let shortestPart = 6
    /// The forms, grouped by their first four bytes, the longest first.
    private let forms: [UInt32: [[UInt8]]]

    /// Creates a finder of the longest secrets.
    /// - Parameters:
    ///   - secrets: The secrets.
    ///   - most: The maximum number of secrets. The default is 256.
    init(_ secrets: Set<String>, most: Int = 256) {
        let sorted = secrets.filter { $0.utf8.count >= Self.shortest }.sorted { $0.utf8.count > $1.utf8.count }
        let all = Set(sorted.prefix(most).flatMap(Self.forms).map { $0.utf8.map(\.lowercased) })
        forms = Dictionary(grouping: all.filter { $0.count >= Self.shortest }) { Self.key($0[...]) }
            .mapValues { $0.sorted { $0.count > $1.count } }
    }

    /// Whether a text is exactly a secret.
    func isSecret(_ text: String) -> Bool {
        let bytes = text.utf8.map(\.lowercased)
        return end(of: bytes, from: 0) == bytes.count
    }

    func masked(_ text: String) -> String {
        guard !forms.isEmpty, text.utf8.count >= Self.shortest else { return text }
        let plain = UnescapedText(literally: text)
        var isSecret = [Bool](repeating: false, count: plain.bytes.count)
        mark(plain, &isSecret)
        if text.utf8.contains(where: UnescapedText.startsEscape) { mark(UnescapedText(text), &isSecret) }
        guard isSecret.contains(true) else { return text }
        var result: [UInt8] = []
        for (index, byte) in text.utf8.enumerated() {
            if !isSecret[index] {
                result.append(byte)
            } else if index == 0 || !isSecret[index - 1] {
                result += Array(Redaction.mask.utf8)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Marks the bytes of the original text that make up secrets.
    private func mark(_ text: UnescapedText, _ isSecret: inout [Bool]) {
        var index = 0
        while index < text.bytes.count {
            guard let end = end(of: text.bytes, from: index) else {
                index += 1
                continue
            }
            for position in text.sources[index].lowerBound..<text.sources[end - 1].upperBound {
                isSecret[position] = true
            }
            index = end
        }
    }

    /// Returns the end of the secret that starts at this index, or `nil`.
    private func end(of text: [UInt8], from start: Int) -> Int? {
        guard start + Self.shortest <= text.count, let candidates = forms[Self.key(text[start...])] else { return nil }
        for form in candidates {
            var length = Self.shortest
            while length < form.count, start + length < text.count, text[start + length] == form[length] { length += 1 }
            if length == form.count { return start + length }
            let isCut = text[(start + length)...].starts(with: "…".utf8)
            if isCut, length >= Self.shortestPart { return start + length }
        }
        return nil
    }

    private static func key(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func forms(of secret: String) -> [String] {
        var forms = [
            secret, PercentEncoding.query(secret), PercentEncoding.form(secret),
            secret.utf8.map(\.hexadecimal).joined(),
        ]
        guard secret.utf8.count >= shortestPart else { return forms }
        for offset in 0..<3 {
            let core = base64(secret, offset: offset)
            forms += [core, core.replacing("+", with: "-").replacing("/", with: "_")]
        }
        return forms
    }

    /// Returns the characters that encode only the secret when it follows `offset` other bytes (modulo 3).
    private static func base64(_ secret: String, offset: Int) -> String {
        let bytes = [UInt8](repeating: 0, count: offset) + Array(secret.utf8)
        let end = bytes.count * 8 / 6
        let first = (offset * 8 + 5) / 6
        return String(Data(bytes).base64EncodedString().prefix(end).dropFirst(first))
    }
}

extension UInt8 {
    fileprivate var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}
