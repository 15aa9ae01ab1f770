package import Foundation

/// Dates in headers (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// Parses the three formats, always in UTC: `Sun, 06 Nov 1994 08:49:37 GMT`, and the obsolete
    /// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. Returns `nil` for other text, and for dates
    /// that do not exist.
    ///
    /// - Parameters:
    ///   - text: The value of the header.
    ///   - now: The current date, which determines the century of a two-digit year. If the year would be more than 50
    ///     years in the future, it is the most recent year in the past with the same last two digits.
    /// - Returns: The date.
    package static func date(from text: String, now: Date) -> Date? {
        if let date = preferred(text.utf8[...]) { return date }
        let words = text.utf8.split(separator: UInt8(ascii: " "))
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT, with more spaces
        case 6 where isGMT(words[5]) && isDay(words[0], weekdays, comma: true):
            return moment(year: number(words[3], 4), month: words[2], day: number(words[1], 2), time: words[4])
        // Sunday, 06-Nov-94 08:49:37 GMT
        case 4 where isGMT(words[3]) && isDay(words[0], longWeekdays, comma: true):
            let parts = words[1].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            guard parts.count == 3, let short = number(parts[2], 2) else { return nil }
            let date = { moment(year: $0, month: parts[1], day: number(parts[0], 2), time: words[2]) }
            let thisYear = Int(now.timeIntervalSince1970 / 31_556_952) + 1970
            let year = thisYear - thisYear % 100 + 100 + short
            let likely = [year, year - 100, year - 200].first { $0 <= thisYear + 50 }
            return date(likely)
        // Sun Nov  6 08:49:37 1994
        case 5 where isDay(words[0], weekdays, comma: false):
            let day = number(words[2], 2) ?? number(words[2], 1)
            return moment(year: number(words[4], 4), month: words[1], day: day, time: words[3])
        default: return nil
        }
    }

    /// Formats a number of seconds since 1970 as a date in the preferred format. A negative number counts as 0, and a
    /// date after the year 9999 as the last one of that year.
    package static func text(secondsSince1970 seconds: some BinaryInteger) -> String {
        // 64 bits, because `Int` has 32 bits on some watches, which is too small for dates after 2038.
        let (whole, rest) = min(max(Int64(clamping: seconds), 0), 253_402_300_799)
            .quotientAndRemainder(dividingBy: 86_400)
        let (days, second) = (Int(whole), Int(rest))
        let (year, month, day) = ISO8601.civil(daysSinceEpoch: days)
        let time = [second / 3_600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
        // The first of January 1970 was a Thursday.
        return "\(weekdays[(days + 3) % 7]), \(twoDigits(day)) \(months[month - 1]) \(year) \(time) GMT"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    private typealias Word = Substring.UTF8View

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longWeekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses the preferred format, such as `Sun, 06 Nov 1994 08:49:37 GMT`, without an array of its words.
    private static func preferred(_ text: Word) -> Date? {
        guard text.count == 29 else { return nil }
        let word = { (start: Int, count: Int) in text.dropFirst(start).prefix(count) }
        guard [4, 7, 11, 16, 25].allSatisfy({ word($0, 1).first == UInt8(ascii: " ") }),
            isGMT(word(26, 3)), isDay(word(0, 4), weekdays, comma: true)
        else { return nil }
        return moment(year: number(word(12, 4), 4), month: word(8, 3), day: number(word(5, 2), 2), time: word(17, 8))
    }

    private static func isGMT(_ word: Word) -> Bool { word.elementsEqual("GMT".utf8) }

    private static func isDay(_ word: Word, _ names: [String], comma: Bool) -> Bool {
        guard !comma || word.last == UInt8(ascii: ",") else { return false }
        let name = comma ? word.dropLast() : word
        return names.contains { name.elementsEqual($0.utf8) }
    }

    private static func number(_ word: Word, _ digits: Int) -> Int? {
        word.count == digits && word.allSatisfy(\.isDigit) ? Int(Substring(word)) : nil
    }

    private static func moment(year: Int?, month: Word, day: Int?, time: Word) -> Date? {
        let field = { (start: Int) in number(time.dropFirst(start).prefix(2), 2) }
        let hasColons = [2, 5].allSatisfy { time.dropFirst($0).first == UInt8(ascii: ":") }
        guard let year, let day, time.count == 8, hasColons, let hour = field(0), let minute = field(3),
            let second = field(6), hour < 24, minute < 60, second <= 60,
            let month = months.firstIndex(where: { month.elementsEqual($0.utf8) }).map({ $0 + 1 }),
            (1...ISO8601.daysIn(month: month, year: year)).contains(day)
        else { return nil }
        let seconds = (hour * 60 + minute) * 60 + second
        let days = ISO8601.daysSinceEpoch(year: year, month: month, day: day)
        return Date(timeIntervalSince1970: TimeInterval(days) * 86_400 + TimeInterval(seconds))
    }
}
