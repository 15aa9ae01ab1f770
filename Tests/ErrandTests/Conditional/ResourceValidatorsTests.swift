import Errand
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ResourceValidatorsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let headers: HeaderFields
        let conditions: [String]
        let isStrong: Bool
        var testDescription: String { "\(headers)" }

        init(_ headers: HeaderFields, _ conditions: String..., isStrong: Bool = false) {
            (self.headers, self.conditions, self.isStrong) = (headers, conditions, isStrong)
        }
    }

    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    static let rows: [Row] = [
        Row([:]), Row(["ETag": "a", "Last-Modified": "yesterday"]),
        Row(["ETag": "\"a\""], "If-None-Match: \"a\"", isStrong: true),
        Row(["ETag": "W/\"a\""], "If-None-Match: W/\"a\""),
        Row(["Last-Modified": date], "If-Modified-Since: \(date)"),
        Row(["Last-Modified": date, "Date": date], "If-Modified-Since: \(date)"),
        Row(
            ["Last-Modified": date, "Date": "Sun, 06 Nov 1994 08:49:38 GMT"], "If-Modified-Since: \(date)",
            isStrong: true),
        Row(["Last-Modified": date, "Date": "Sun, 06 Nov 1994 08:49:36 GMT"], "If-Modified-Since: \(date)"),
        Row(["Last-Modified": date, "Date": "now"], "If-Modified-Since: \(date)"),
        Row(
            ["ETag": "W/\"a\"", "Last-Modified": date, "Date": "Mon, 07 Nov 1994 08:49:37 GMT"],
            "If-None-Match: W/\"a\"", "If-Modified-Since: \(date)"),
        Row(
            ["ETag": "\"a\"", "Last-Modified": date], "If-None-Match: \"a\"", "If-Modified-Since: \(date)",
            isStrong: true),
        // The text of the server is sent unchanged.
        Row(["Last-Modified": "Sun Nov  6 08:49:37 1994"], "If-Modified-Since: Sun Nov  6 08:49:37 1994"),
        Row(["Last-Modified": "Sunday, 06-Nov-94 08:49:37 GMT"], "If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT"),
    ]

    @Test(arguments: rows) func `the validators of a response become conditions`(row: Row) throws {
        let head = ResponseHead(status: 200, headers: row.headers, url: try #require(URL(string: "http://a.test")))
        let validators = head.validators
        let headers = try Precondition.ifModified(validators).headers()
        #expect(headers.map { "\($0.name): \($0.value)" } == row.conditions)
        #expect(validators.isEmpty == row.conditions.isEmpty && validators.isStrong == row.isStrong)
        if validators.lastModified != nil {
            #expect(validators.lastModified == Date(timeIntervalSince1970: 784_111_777))
        }
        let stored = try JSONDecoder.errand.decode(
            ResourceValidators.self, from: try JSONEncoder.errand.encode(validators))
        #expect(stored == validators && stored.isStrong == row.isStrong)
        #expect(try Precondition.ifModified(stored).headers() == headers)
    }

    @Test func `only strong validators are used for a range`() throws {
        let later: HeaderFields = ["Last-Modified": Self.date, "Date": "Mon, 07 Nov 1994 08:49:37 GMT"]
        #expect(ResourceValidators(later).rangeValidator == Self.date)
        #expect(ResourceValidators(["ETag": "\"a\"", "Last-Modified": Self.date]).rangeValidator == "\"a\"")
        #expect(ResourceValidators(["ETag": "W/\"a\""]).rangeValidator == nil)
    }

    @Test(arguments: [
        #"{"entityTag":"a"}"#, #"{"lastModified":"2024-05-06"}"#,
        #"{"lastModified":"Sun, 06 Nov 1994 08:49:37 GMT\r\nX: 1"}"#,
        #"{"entityTag":"\"a\r\nX: 1\""}"#,
    ]) func `malformed stored validators are an error`(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ResourceValidators.self, from: Data(json.utf8))
        }
    }

    @Test(
        arguments: [
            (784_111_777.9, "Sun, 06 Nov 1994 08:49:37 GMT"), (-5, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"), (.infinity, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (.nan, "Thu, 01 Jan 1970 00:00:00 GMT"),
        ] as [(TimeInterval, String)])
    func `a known date is sent in whole seconds`(seconds: TimeInterval, text: String) throws {
        let validators = ResourceValidators(lastModified: Date(timeIntervalSince1970: seconds))
        #expect(try Precondition.ifModified(validators).headers() == ["If-Modified-Since": text])
        #expect(!validators.isStrong && !validators.isEmpty)
    }
}
