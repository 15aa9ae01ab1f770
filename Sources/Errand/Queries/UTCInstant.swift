/// A moment of the years 0 to 9999, to the millisecond, in the calendar of RFC 3339.
///
/// Foundation's formatter is not used: it cuts 0.123 s to 0.122 s, as `Date` can't hold that number exactly, and counts
/// the days before 1582 by the Julian calendar, where ISO 8601 wants the Gregorian one.
struct UTCInstant {
    /// Milliseconds since 1970.
    let milliseconds: Int64

    /// Rounds a date to the millisecond; nil outside the years 0 to 9999.
    init?(_ date: Date) {
        let count = (date.timeIntervalSince1970 * 1_000).rounded()
        guard (-62_167_219_200_000...253_402_300_799_999).contains(count) else { return nil }
        milliseconds = Int64(count)
    }

    /// `2024-05-06T07:08:09Z`, with three decimals where there is a fraction (RFC 3339, section 5.6).
    var internetText: String {
        let (seconds, fraction) = milliseconds.floorDivided(by: 1_000)
        let (days, time) = seconds.floorDivided(by: 86_400)
        let (year, month, day) = Self.date(ofDay: days)
        let date = "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
        let clock = [time / 3_600, time / 60 % 60, time % 60].map { $0.padded(to: 2) }.joined(separator: ":")
        return date + "T" + clock + (fraction == 0 ? "" : "." + fraction.padded(to: 3)) + "Z"
    }

    /// The Gregorian date of a day counted from 1970, in years that begin in March, so that the leap day comes last.
    private static func date(ofDay days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let daysFromYearZero: Int64 = 719_468
        let (era, dayOfEra) = (days + daysFromYearZero).floorDivided(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    fileprivate func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
