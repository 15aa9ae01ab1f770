import Errand
import ErrandSupport
import Testing

@Suite struct CookieDateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let date: String?
        var testDescription: String { text }

        init(_ text: String, _ date: String?) {
            (self.text, self.date) = (text, date)
        }
    }

    /// Dates of RFC 6265, section 5.1.1, and the formats of RFC 9110, section 5.6.7.
    static let rows: [Row] = [
        Row("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
        Row("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"),
        Row("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"),
        Row("1994 nov 6 8:9:7", "1994-11-06T08:09:07Z"),
        Row("08:49:37 06 November 1994", "1994-11-06T08:49:37Z"),
        Row("06/Nov/1994;08:49:37+0200", "1994-11-06T08:49:37Z"),
        Row("6th Nov 1994AD 08:49:37Z", "1994-11-06T08:49:37Z"),
        Row("06 Nov 1994 08:49:37 07 Dec 1995 09:50:38", "1994-11-06T08:49:37Z"),
        // The first of two two-digit numbers is the day, the second is the year.
        Row("31 01 Jan 00:00:00", "2001-01-31T00:00:00Z"),
        Row("01 Jan 69 00:00:00", "2069-01-01T00:00:00Z"), Row("01 Jan 70 00:00:00", "1970-01-01T00:00:00Z"),
        Row("01 Jan 99 00:00:00", "1999-01-01T00:00:00Z"), Row("01 Jan 00 00:00:00", "2000-01-01T00:00:00Z"),
        Row("01 Jan 1601 00:00:00", "1601-01-01T00:00:00Z"), Row("31 Dec 9999 23:59:59", "9999-12-31T23:59:59Z"),
        Row("29 Feb 2024 00:00:00", "2024-02-29T00:00:00Z"),
        Row("29 Feb 2023 00:00:00", nil), Row("30 Feb 2024 00:00:00", nil), Row("31 Apr 2024 00:00:00", nil),
        Row("00 Jan 2024 00:00:00", nil), Row("32 Jan 2024 00:00:00", nil), Row("01 Jan 1600 00:00:00", nil),
        Row("01 Jan 100 00:00:00", nil), Row("01 Jan 20240 00:00:00", nil), Row("01 Jan 2 00:00:00", nil),
        Row("001 Jan 2024 00:00:00", nil),
        Row("01 Jan 2024 24:00:00", nil), Row("01 Jan 2024 00:60:00", nil), Row("01 Jan 2024 00:00:60", nil),
        Row("01 Jan 2024 00:00", nil), Row("01 Jan 2024 000:00:00", nil), Row("01 Jan 2024 00:00:000", nil),
        Row("01 Jan 2024 0x:00:00", nil),
        Row("01 Jan 2024", nil), Row("01 2024 00:00:00", nil), Row("Jan 2024 00:00:00", nil),
        Row("01 Jan 00:00:00", nil), Row("01 Jän 2024 00:00:00", nil), Row("01 ja\u{301}n 2024 00:00:00", nil),
        Row("", nil), Row("0", nil), Row(";;;", nil), Row("tomorrow", nil),
    ]

    @Test(arguments: rows)
    func `only existing dates are parsed, in every format`(row: Row) throws {
        let date = row.date.flatMap { ISO8601.date(from: $0) }
        #expect((date == nil) == (row.date == nil))
        #expect(CookieDate.date(from: row.text) == date)
    }
}
