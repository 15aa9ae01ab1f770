import ErrandSupport

/// A parser for the date formats of cookies (RFC 6265, section 5.1.1).
package enum CookieDate {
    /// Parses `Wed, 09 Jun 2021 10:18:14 GMT`, `Wednesday, 09-Jun-21 10:18:14 GMT`, `Wed Jun  9 10:18:14 2021`, and
    /// any other text with a time, a day, a month and a year, always in UTC. Returns `nil` for other texts and for
    /// dates that do not exist.
    package static func date(from text: String) -> Date? {
        var parts = Parts()
        for token in text.utf8.split(whereSeparator: isDelimiter) { parts.read(token) }
        return parts.date
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}

extension CookieDate {
    /// The components that were found. A token is the first missing component that it matches.
    private struct Parts {
        private static let months = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]

        private var seconds: Int?
        private var day: Int?
        private var month: Int?
        private var year: Int?

        mutating func read(_ token: Substring.UTF8View) {
            if seconds == nil, let time = Self.time(token) {
                seconds = time
            } else if day == nil, let number = Self.number(token, digits: 1...2) {
                day = number
            } else if month == nil, let number = Self.month(token) {
                month = number
            } else if year == nil, let number = Self.number(token, digits: 2...4) {
                year = number
            }
        }

        /// The date, or `nil` if it is incomplete or does not exist (section 5.1.1, steps 3 to 6).
        var date: Date? {
            guard let seconds, let day, let month, var year else { return nil }
            if (70...99).contains(year) { year += 1_900 }
            if (0...69).contains(year) { year += 2_000 }
            guard year >= 1_601, seconds >= 0, (1...ISO8601.daysIn(month: month, year: year)).contains(day) else {
                return nil
            }
            let days = ISO8601.daysSinceEpoch(year: year, month: month, day: day)
            return Date(timeIntervalSince1970: TimeInterval(days) * 86_400 + TimeInterval(seconds))
        }

        private static func month(_ token: Substring.UTF8View) -> Int? {
            let name = String(decoding: token.prefix(3), as: UTF8.self).lowercased()
            return months.firstIndex(of: name).map { $0 + 1 }
        }

        /// Parses the leading digits of a token. Returns `nil` if their number is not in the range.
        private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
            let number = token.prefix(while: \.isDigit)
            return digits.contains(number.count) ? Int(Substring(number)) : nil
        }

        /// Parses `h:m:s`, followed by any text. Returns the seconds since midnight, or -1 if the time does not exist.
        private static func time(_ token: Substring.UTF8View) -> Int? {
            let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[0].allSatisfy(\.isDigit), fields[1].allSatisfy(\.isDigit),
                let hour = number(fields[0], digits: 1...2), let minute = number(fields[1], digits: 1...2),
                let second = number(fields[2], digits: 1...2)
            else { return nil }
            return hour < 24 && minute < 60 && second < 60 ? hour * 3_600 + minute * 60 + second : -1
        }
    }
}
