import Errand
import ErrandSupport
import TestSupport
import Testing

@Suite struct ISO8601Tests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let seconds: Double?
        var testDescription: String { text }
    }

    @Test(arguments: [
        Row(text: "1970-01-01T00:00:00Z", seconds: 0),
        Row(text: "2019-03-09T07:56:32-05:00", seconds: 1_552_136_192),
        Row(text: "2019-03-09T12:56:32Z", seconds: 1_552_136_192),
        Row(text: "2019-03-09t12:56:32.5z", seconds: 1_552_136_192.5),
        Row(text: "2019-03-09 12:56:32,250+0000", seconds: 1_552_136_192.25),
        Row(text: "2019-03-09T18:26:32.123456789+05:30", seconds: 1_552_136_192.123456789),
        Row(text: "2000-02-29T00:00:00Z", seconds: 951_782_400),
        Row(text: "2016-12-31T23:59:60Z", seconds: 1_483_228_800),
        Row(text: "0001-01-01T00:00:00Z", seconds: -62_135_596_800),
        Row(text: "1969-12-31T23:59:59Z", seconds: -1),
        Row(text: "1900-02-29T00:00:00Z", seconds: nil),
        Row(text: "2019-02-30T00:00:00Z", seconds: nil),
        Row(text: "2019-13-01T00:00:00Z", seconds: nil),
        Row(text: "2019-00-01T00:00:00Z", seconds: nil),
        Row(text: "2019-01-01T24:00:00Z", seconds: nil),
        Row(text: "2019-01-01T00:60:00Z", seconds: nil),
        Row(text: "2019-01-01T00:00:00", seconds: nil),
        Row(text: "2019-01-01T00:00:00.Z", seconds: nil),
        Row(text: "2019-03-09T12:56:32.12345678901234567890Z", seconds: 1_552_136_192.123456789),
        Row(text: "2019-01-01T00:00:00+25:00", seconds: nil),
        Row(text: "2019-01-01T00:00:00Zx", seconds: nil),
        Row(text: "2019-01-01", seconds: nil),
        Row(text: "+019-01-01T00:00:00Z", seconds: nil),
        Row(text: "", seconds: nil),
    ])
    func `dates are parsed as RFC 3339 defines`(row: Row) throws {
        let date = ISO8601.date(from: row.text)
        guard let seconds = row.seconds else { return #expect(date == nil) }
        let found = try #require(date).timeIntervalSince1970
        #expect(abs(found - seconds) < 0.000_001)
    }

    @Test(arguments: [
        (0.0, "1970-01-01T00:00:00Z"), (1_552_136_192.5, "2019-03-09T12:56:32.500Z"), (-1.0, "1969-12-31T23:59:59Z"),
        (951_782_400.0, "2000-02-29T00:00:00Z"), (-62_135_596_800.0, "0001-01-01T00:00:00Z"),
        (253_402_300_799.0, "9999-12-31T23:59:59Z"), (1e300, nil), (-1e300, nil), (.nan, nil),
    ])
    func `dates are formatted in UTC`(seconds: Double, text: String?) {
        #expect(ISO8601.text(of: Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func `days of four centuries are unchanged by formatting and parsing`() {
        for day in stride(from: -70_000, to: 76_097, by: TestEnvironment.runsHeavyTests ? 1 : 13) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 43_200)
            guard ISO8601.text(of: date).flatMap(ISO8601.date) == date else {
                Issue.record("expected day \(day) to be unchanged by formatting and parsing")
                return
            }
        }
    }
}
