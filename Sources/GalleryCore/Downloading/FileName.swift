import Errand
import ErrandSupport

/// A file name that is safe on every system, built from server data: `misty-lake.LBI7cgq3pbM.regular`.
///
/// - Dots separate words, identifier and variant. The parts contain no dots, so different parts never form the same
///   name.
/// - Words and variant keep letters, marks and digits of any script in lower case. Each run of other characters becomes
///   one hyphen. A name contains no path separator and no control character. It does not start with a hyphen, which
///   commands would parse as an option.
/// - Words are limited to 80 bytes of UTF-8, identifiers to 64 and variants to 16. With the extension and the affixes
///   of the temporary file, the name is below the 255 bytes that file systems allow.
/// - An identifier of ASCII letters, digits, `-` and `_` is kept unchanged, including its case. An identifier that is
///   changed or truncated ends with `~` and a checksum of the original. Unchanged identifiers contain no `~`.
/// - Words that are a Windows device name, such as `con` or `lpt1`, get the prefix `x`, because Windows reserves these
///   names with any extension.
package struct FileName: Sendable, Hashable, CustomStringConvertible {
    /// The name without an extension.
    package let description: String

    package init(words: String, id: String, variant: String) {
        let start = Self.words(Self.withoutIdentifier(words, id), limit: 80)
        let parts = [
            start.isEmpty ? "photo" : Self.unreserved(start), Self.identifier(id),
            Self.words(Substring(variant), limit: 16),
        ]
        description = parts.filter { !$0.isEmpty }.joined(separator: ".")
    }

    private init(_ description: String) {
        self.description = description
    }

    /// Returns the name to use if the name of another picture differs only in case, which some file systems ignore.
    func distinguished(by id: String) -> FileName {
        FileName(description + "~" + Self.checksum(id))
    }

    /// Removes the identifier from the end of a slug, because the name contains it anyway. It compares bytes, because
    /// comparing characters can take quadratic time.
    private static func withoutIdentifier(_ slug: String, _ id: String) -> Substring {
        let rest = Substring(slug).utf8.dropLast(id.utf8.count)
        let endsWord = rest.last ?? UInt8(ascii: "-") == UInt8(ascii: "-")
        guard endsWord, slug.utf8.count >= id.utf8.count, slug.utf8.suffix(id.utf8.count).elementsEqual(id.utf8) else {
            return Substring(slug)
        }
        return Substring(rest)
    }

    static func words(_ text: Substring, limit: Int) -> String {
        plainWords(text, limit: limit) ?? anyWords(text, limit: limit)
    }

    /// A fast path for ASCII texts that avoids Unicode lookups. Returns `nil` for other texts.
    private static func plainWords(_ text: Substring, limit: Int) -> String? {
        // The check extends past the limit, because a mark after the last byte may belong to the last letter.
        guard text.utf8.prefix(4 * limit + 4).allSatisfy({ $0 < 0x80 }) else { return nil }
        var kept: [UInt8] = []
        for byte in text.utf8.prefix(4 * limit) {
            let lower = byte.lowercased
            if lower.isLowercaseOrDigit {
                guard kept.count < limit else { break }
                kept.append(lower)
            } else if let last = kept.last, last != UInt8(ascii: "-") {
                guard kept.count < limit else { break }
                kept.append(UInt8(ascii: "-"))
            }
        }
        if kept.last == UInt8(ascii: "-") { kept.removeLast() }
        return String(decoding: kept, as: UTF8.self)
    }

    private static func anyWords(_ text: Substring, limit: Int) -> String {
        var kept = String.UnicodeScalarView()
        // Truncate before the normalization, which takes quadratic time for many marks.
        let start = String(text.unicodeScalars.prefix(4 * limit))
        for scalar in start.precomposedStringWithCanonicalMapping.lowercased().unicodeScalars.prefix(4 * limit) {
            let isKept = scalar.isWordPart || (scalar.isWordMark && kept.last ?? "-" != "-")
            kept.append(isKept ? scalar : "-")
        }
        var result = ""
        for character in String(kept) {
            if character == "-", result.last == "-" || result.isEmpty { continue }
            guard result.utf8.count + character.utf8.count <= limit else { break }
            result.append(character)
        }
        return result.hyphensTrimmed
    }

    private static func identifier(_ id: String) -> String {
        let usual = id.utf8.prefix(64).filter { $0.isUsualInIdentifiers }
        let kept = String(decoding: usual, as: UTF8.self)
        return usual.count == id.utf8.count && !id.isEmpty ? id : "\(kept)~\(checksum(id))"
    }

    /// The 64-bit FNV-1a hash, which is the same on every machine and in every run.
    private static func checksum(_ text: String) -> String {
        let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func unreserved(_ name: String) -> String { SafeFileName.isDeviceName(name) ? "x" + name : name }
}

extension String {
    fileprivate var hyphensTrimmed: String {
        trimmingCharacters(in: CharacterSet(charactersIn: "-"))
    }
}

extension Unicode.Scalar {
    fileprivate var isWordPart: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        case .decimalNumber: true
        default: false
        }
    }

    /// Whether the scalar is a mark. A mark is part of a word only after a letter, not in an emoji, for example.
    fileprivate var isWordMark: Bool {
        [.nonspacingMark, .spacingMark].contains(properties.generalCategory)
    }
}

extension UInt8 {
    fileprivate var isLowercaseOrDigit: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }

    fileprivate var isUsualInIdentifiers: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
