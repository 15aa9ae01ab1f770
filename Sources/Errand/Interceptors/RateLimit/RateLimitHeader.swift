import ErrandSupport

/// Parses the values of rate limit headers.
///
/// A `RateLimit` header is a list of quotas, `"hour";r=12;t=900` (draft-ietf-httpapi-ratelimit-headers-08 and later),
/// or a single quota in the older form, `limit=100, remaining=12, reset=900` (the same draft, -07).
package enum RateLimitHeader {
    /// The maximum length of a parsed value, in bytes.
    private static let longest = 4_096

    /// Returns the quotas in the value of a `RateLimit` header. Malformed quotas are ignored.
    package static func quotas(in value: String) -> [RateLimitReading.Quota] {
        guard value.utf8.count <= longest else { return [] }
        let members = split(Substring(value), at: UInt8(ascii: ",")).map(trimmed)
        let pairs = members.compactMap(pair)
        let older = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        if let quota = quota("RateLimit", older["remaining"], older["reset"]) { return [quota] }
        return members.prefix(RateLimitReading.maximumQuotas).compactMap { member in
            let parts = split(member, at: UInt8(ascii: ";")).map(trimmed)
            guard let name = parts.first, !name.isEmpty else { return nil }
            let parameters = Dictionary(
                parts.dropFirst().compactMap(pair), uniquingKeysWith: { _, last in last })
            return quota("RateLimit: \(name)", parameters["r"], parameters["t"])
        }
    }

    /// Parses a decimal number, with or without a fraction. A negative number is 0, because an overdrawn quota is
    /// empty.
    package static func number(_ text: some StringProtocol) -> Double? {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        guard digits.count <= 32, text.utf8.count - digits.count <= 1, digits.first?.isDigit == true,
            digits.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }), let number = Double(String(text))
        else { return nil }
        return max(0, number)
    }

    /// Returns a number as an integer, rounded down.
    package static func count(_ number: Double) -> Int { Int(clamping: Int64(min(max(0, number), 1_000_000_000_000))) }

    /// The wait for a reset. A value above 1,000,000,000,000 is in milliseconds since 1970, and a value above
    /// 1,000,000,000 is in seconds since 1970. Any other value is the wait in seconds.
    package static func wait(forReset reset: Double, origin: Date) -> Duration {
        var wait = reset
        if reset > 1_000_000_000_000 {
            wait = reset / 1_000 - origin.timeIntervalSince1970
        } else if reset > 1_000_000_000 {
            wait = reset - origin.timeIntervalSince1970
        }
        return duration(wait)
    }

    /// Converts a wait in seconds, rounded up to the millisecond and limited to the range from zero to
    /// ``RetryAfter/longest``.
    private static func duration(_ seconds: Double) -> Duration {
        .milliseconds(Int64((min(max(0, seconds), RetryAfter.longest / .seconds(1)) * 1_000).rounded(.up)))
    }
}

extension RateLimitHeader {
    private static func quota(_ name: String, _ remaining: Substring?, _ reset: Substring?) -> RateLimitReading.Quota? {
        guard let remaining = remaining.flatMap(number), let reset = reset.flatMap(number) else { return nil }
        let short = String(decoding: name.utf8.prefix(64), as: UTF8.self)
        return RateLimitReading.Quota(name: short, remaining: count(remaining), reset: duration(reset))
    }

    /// Splits `key=value` and converts the key to lowercase. Returns `nil` for any other text.
    private static func pair(_ text: Substring) -> (String, Substring)? {
        guard let first = text.utf8.first, first != UInt8(ascii: "\""), let equals = text.firstIndex(of: "="),
            !text[..<equals].contains(";")
        else { return nil }
        return (trimmed(text[..<equals]).lowercased(), trimmed(text[text.index(after: equals)...]))
    }

    /// Splits at a byte outside quoted strings (RFC 9651, section 3.3.3).
    private static func split(_ text: Substring, at separator: UInt8) -> [Substring] {
        var parts: [Substring] = []
        var (start, isQuoted, isEscaped) = (text.startIndex, false, false)
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                parts.append(text[start..<index])
                start = text.utf8.index(after: index)
            }
        }
        return parts + [text[start...]]
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = text.utf8.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return text[text.endIndex...] }
        return text[start.startIndex..<text.utf8.index(after: last)]
    }
}
