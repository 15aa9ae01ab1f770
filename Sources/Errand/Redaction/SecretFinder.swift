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
    /// The sorted forms, grouped by their first four bytes.
    private let forms: [UInt32: [[UInt8]]]

    /// Creates a finder of the longest secrets.
    /// - Parameters:
    ///   - secrets: The secrets.
    ///   - most: The maximum number of secrets. The default is 256.
    init(_ secrets: Set<String>, most: Int = 256) {
        let sorted = secrets.filter { $0.utf8.count >= Self.shortest }.sorted { $0.utf8.count > $1.utf8.count }
        let all = Set(sorted.prefix(most).flatMap(Self.forms).map { $0.utf8.map(\.lowercased) })
        forms = Dictionary(grouping: all.filter { $0.count >= Self.shortest }) { Self.key($0[...]) }
            .mapValues { $0.sorted { $0.lexicographicallyPrecedes($1) } }
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

    /// Returns the end of the longest secret that starts at this index, or `nil`.
    ///
    /// The number of secrets with the same start has little effect on the time, because they are sorted.
    private func end(of text: [UInt8], from start: Int) -> Int? {
        guard start + Self.shortest <= text.count, let group = forms[Self.key(text[start...])] else { return nil }
        var candidates = group[...]
        var (length, end) = (Self.shortest, Int?.none)
        while true {
            // The shortest of several forms with the same start is the first one.
            if let first = candidates.first, first.count == length {
                end = start + length
                candidates.removeFirst()
            }
            guard !candidates.isEmpty, start + length < text.count else { return end }
            let matching = Self.matching(text[start + length], at: length, in: candidates)
            guard !matching.isEmpty else {
                let isCut = length >= Self.shortestPart && text[(start + length)...].starts(with: "…".utf8)
                return isCut ? start + length : end
            }
            candidates = matching
            length += 1
        }
    }

    /// Returns the sorted forms that have a byte at an index.
    private static func matching(
        _ byte: UInt8, at index: Int, in forms: ArraySlice<[UInt8]>
    ) -> ArraySlice<[UInt8]> {
        func firstIndex(where isAfter: (UInt8) -> Bool) -> Int {
            var (low, high) = (forms.startIndex, forms.endIndex)
            while low < high {
                let middle = (low + high) / 2
                if isAfter(forms[middle][index]) { high = middle } else { low = middle + 1 }
            }
            return low
        }
        return forms[firstIndex { $0 >= byte }..<firstIndex { $0 > byte }]
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
