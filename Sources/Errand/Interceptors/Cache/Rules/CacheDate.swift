import ErrandSupport

/// The dates of headers as a cache reads them.
enum CacheDate {
    /// Parses a date. Unlike other recipients, a cache ignores the case of the names and of `GMT` (RFC 9111, section
    /// 4.2). Returns `nil` for any other text. A date with a comma must not have consecutive spaces.
    static func date(from text: String, now: Date) -> Date? {
        let isANSI = !text.utf8.contains(UInt8(ascii: ","))
        guard isANSI || !text.contains("  ") else { return nil }
        var startsWord = true
        let cased = text.unicodeScalars.reduce(into: "") { result, scalar in
            let isLetter = scalar.properties.isAlphabetic
            result += isLetter && startsWord ? scalar.properties.uppercaseMapping : scalar.properties.lowercaseMapping
            startsWord = !isLetter
        }
        let name = cased.hasSuffix(" Gmt") ? cased.dropLast(3) + "GMT" : cased[...]
        return HTTPDate.date(from: String(name), now: now)
    }
}
