package import Foundation

/// Dates and times in the Internet profile of ISO 8601 (RFC 3339, section 5.6).
///
/// The implementation uses no formatter, because a formatter takes three times as long as the rest of decoding.
package enum ISO8601 {
    /// Parses `2024-05-06T07:08:09.5+02:00`. The offset may lack its colon, and a space or a lowercase letter may
    /// replace the `T`. Any number of fractional digits is allowed, of which nine are used. Returns `nil` for other
    /// text, and for dates that do not exist.
    package static func date(from text: String) -> Date? {
        var text = text
        return text.withUTF8(date)
    }

    /// Parses `2024-05-06T07:08:09Z` and no other form, from the year 1583, when the Gregorian calendar was in use.
    package static func usualDate(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        guard text.count == 20, text[10] == UInt8(ascii: "T"), text[19] == UInt8(ascii: "Z") else { return nil }
        var reader = Reader(bytes: text)
        guard let year = reader.digits(4), year >= 1583, text[17] < UInt8(ascii: "6") else { return nil }
        return date(text)
    }

    private static func date(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        var reader = Reader(bytes: text)
        guard let year = reader.digits(4), reader.skip("-"), let month = reader.digits(2), reader.skip("-"),
            let day = reader.digits(2), reader.skipAny("Tt "),
            let hour = reader.digits(2), reader.skip(":"), let minute = reader.digits(2), reader.skip(":"),
            let second = reader.digits(2), let fraction = reader.fraction(), let offset = reader.offset(), reader.atEnd
        else { return nil }
        guard (1...12).contains(month), (1...daysIn(month: month, year: year)).contains(day) else { return nil }
        // A leap second counts as the first second of the next minute, because POSIX time has no leap seconds.
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        let days = daysSinceEpoch(year: year, month: month, day: day)
        let seconds = hour * 3_600 + minute * 60 + second - offset
        // Floating point, because `Int` has 32 bits on some watches, which is too small for dates after 2038.
        return Date(timeIntervalSince1970: Double(days) * 86_400 + Double(seconds) + fraction)
    }

    /// Formats a date in UTC: `2024-05-06T07:08:09Z`, with milliseconds if they are not zero.
    ///
    /// Returns `nil` outside the years 0 to 9999, which this format cannot represent.
    package static func text(of date: Date) -> String? {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        guard (-62_167_219_200_000...253_402_300_799_999).contains(milliseconds) else { return nil }
        let days = Int((milliseconds / 86_400_000).rounded(.down))
        let (clock, fraction) = Int(milliseconds - Double(days) * 86_400_000).flooredDivision(by: 1_000)
        let day = civil(daysSinceEpoch: days)
        let time = [clock / 3_600, clock / 60 % 60, clock % 60].map { padded($0, 2) }.joined(separator: ":")
        let suffix = fraction == 0 ? "Z" : ".\(padded(fraction, 3))Z"
        return "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))T\(time)\(suffix)"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension ISO8601 {
    /// The number of days from 1970-01-01 in the proleptic Gregorian calendar. Years are counted from 1 March, so that
    /// the leap day is the last day of a year.
    package static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let (era, yearOfEra) = shifted.flooredDivision(by: 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date that is the given number of days after 1970-01-01.
    package static func civil(daysSinceEpoch days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The number of days of a month from 1 to 12.
    package static func daysIn(month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension ISO8601 {
    private struct Reader {
        let bytes: UnsafeBufferPointer<UInt8>
        var index = 0

        var atEnd: Bool { index == bytes.count }

        mutating func digits(_ count: Int) -> Int? {
            guard index + count <= bytes.count else { return nil }
            var number = 0
            for byte in bytes[index..<index + count] {
                guard (48...57).contains(byte) else { return nil }
                number = number * 10 + Int(byte - 48)
            }
            index += count
            return number
        }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        mutating func skipAny(_ characters: String) -> Bool {
            guard index < bytes.count, characters.utf8.contains(bytes[index]) else { return false }
            index += 1
            return true
        }

        /// Parses the fraction of a second. Returns 0 if it is missing, and `nil` if the decimal point is not followed
        /// by a digit.
        mutating func fraction() -> Double? {
            guard skipAny(".,") else { return 0 }
            var number = 0.0
            var scale = 1.0
            var count = 0
            while let digit = digits(1) {
                count += 1
                guard count <= 9 else { continue }
                number = number * 10 + Double(digit)
                scale *= 10
            }
            return count == 0 ? nil : number / scale
        }

        /// Parses the offset from UTC, in seconds.
        mutating func offset() -> Int? {
            if skipAny("Zz") { return 0 }
            guard index < bytes.count else { return nil }
            let sign = bytes[index] == UInt8(ascii: "-") ? -1 : 1
            guard skipAny("+-"), let hours = digits(2), hours < 24 else { return nil }
            _ = skip(":")
            guard let minutes = digits(2), minutes < 60 else { return nil }
            return sign * (hours * 3_600 + minutes * 60)
        }
    }
}

extension Int {
    fileprivate func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
