import Errand
import ErrandSupport
import Foundation
import TestSupport
import Testing

@Suite struct HTTPDateTests {
    private static let now = Date(timeIntervalSince1970: 1_795_000_000)  // November 2026

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sun Nov 16 08:49:37 1994", 784_975_777),
        ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Wednesday, 01-Jan-70 00:00:00 GMT", 3_155_760_000),
        ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800), ("Friday, 01-Jan-27 00:00:00 GMT", 1_798_761_600),
    ])
    func `the three formats are parsed`(text: String, seconds: Int) {
        #expect(HTTPDate.date(from: text, now: Self.now) == Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    @Test(arguments: [
        "", "120", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
        "Thu, 29 Feb 2023 00:00:00 GMT", "Sun Nov 6 08:49:37 94", "1994-11-06T08:49:37Z",
    ])
    func `other text is not a date`(text: String) {
        #expect(HTTPDate.date(from: text, now: Self.now) == nil)
    }

    private struct Examples: Decodable {
        struct DateRow: Decodable { let value: String, unix: TimeInterval }
        struct WaitRow: Decodable { let value: String, unix: TimeInterval?, seconds: Int64? }
        let rfc9110_5_6_7_http_date: [DateRow]
        let rfc9110_10_2_3_retry_after: [WaitRow]
    }

    @Test(.enabled(if: TestEnvironment.vectors != nil, "ERRAND_VECTORS is not set"))
    func `the examples of RFC 9110 are parsed`() throws {
        let file = try #require(TestEnvironment.vectors).appending(path: "rfc/rfc-examples.json")
        let examples = try JSONDecoder().decode(Examples.self, from: Data(contentsOf: file))
        for row in examples.rfc9110_5_6_7_http_date {
            #expect(HTTPDate.date(from: row.value, now: Self.now)?.timeIntervalSince1970 == row.unix)
        }
        for row in examples.rfc9110_10_2_3_retry_after {
            let before = Date(timeIntervalSince1970: (row.unix ?? 0) - 30)
            let expected: Duration = row.seconds.map { .seconds($0) } ?? .seconds(30)
            #expect(RetryAfter.wait(["Retry-After": row.value], now: before) == expected)
        }
        #expect(examples.rfc9110_5_6_7_http_date.count == 3 && examples.rfc9110_10_2_3_retry_after.count == 2)
    }

    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
        (-5, "Thu, 01 Jan 1970 00:00:00 GMT"),
    ])
    func `dates are formatted in the preferred format`(seconds: Int, text: String) {
        #expect(HTTPDate.text(secondsSince1970: seconds) == text)
    }

    @Test func `formatted dates are parsed to the same date`() {
        // About 137 years, in steps of a week and seven seconds.
        for seconds in stride(from: 0, to: 4_320_000_000, by: 86_401 * 7) {
            let text = HTTPDate.text(secondsSince1970: seconds)
            #expect(HTTPDate.date(from: text, now: Self.now)?.timeIntervalSince1970 == TimeInterval(seconds), "\(text)")
        }
    }
}
