import Errand
import Foundation
import Testing

@Suite struct RateLimitReadingTests {
    private typealias Quota = RateLimitReading.Quota
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)  // Tue, 14 Nov 2023 22:13:20 GMT

    struct Row: Sendable, CustomTestStringConvertible {
        let headers: HeaderFields
        var status = 200
        var quotas: [RateLimitReading.Quota] = []
        var pause: Duration?
        var testDescription: String { "\(status) \(headers.map { "\($0.name): \($0.value)" })" }
    }

    private static func quota(_ remaining: Int, _ reset: Duration, _ name: String = "RateLimit") -> Quota {
        Quota(name: name, remaining: remaining, reset: reset)
    }

    static let pairs: [Row] = [
        Row(headers: [:]),
        Row(headers: ["Content-Type": "text/plain", "X-Request-ID": "7", "Range": "x"]),
        Row(headers: ["RateLimit-Remaining": "3", "RateLimit-Reset": "30"], quotas: [quota(3, .seconds(30))]),
        Row(
            headers: ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000060"],
            quotas: [quota(0, .seconds(60), "X-RateLimit")]),
        Row(
            headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000060123"],
            quotas: [quota(0, .milliseconds(60_123), "X-RateLimit")]),
        Row(
            headers: [
                "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000060",
                "Date": "Tue, 14 Nov 2023 22:13:50 GMT",
            ], quotas: [quota(0, .seconds(30), "X-RateLimit")]),
        Row(
            headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1600000000"],
            quotas: [quota(0, .zero, "X-RateLimit")]),
        Row(
            headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1.25"],
            quotas: [quota(0, .milliseconds(1_250), "X-RateLimit")]),
        Row(
            headers: [
                "RateLimit-Remaining": "1", "RateLimit-Reset": "1", "X-RateLimit-Remaining": "2",
                "X-RateLimit-Reset": "2",
            ],
            quotas: [quota(1, .seconds(1)), quota(2, .seconds(2), "X-RateLimit")]),
        Row(headers: ["RateLimit-Remaining": "-4", "RateLimit-Reset": "30"], quotas: [quota(0, .seconds(30))]),
        Row(
            headers: ["RateLimit-Remaining": "99999999999999999999999", "RateLimit-Reset": "999999999"],
            quotas: [quota(1_000_000_000_000, .seconds(86_400))]),
        Row(headers: ["RateLimit-Remaining": "0"]),
        Row(headers: ["RateLimit-Reset": "30"]),
        Row(headers: ["RateLimit-Remaining": "few", "RateLimit-Reset": "30"]),
        Row(headers: ["RateLimit-Remaining": "1e5", "RateLimit-Reset": "30"]),
        Row(headers: ["RateLimit-Remaining": "nan", "RateLimit-Reset": "30"]),
        Row(headers: ["RateLimit-Remaining": "--1", "RateLimit-Reset": "30"]),
        Row(headers: ["RateLimit-Remaining": "1.2.3", "RateLimit-Reset": "30"]),
        Row(headers: ["RateLimit-Remaining": "", "RateLimit-Reset": ""]),
        Row(headers: ["RateLimit-Remaining": String(repeating: "9", count: 400), "RateLimit-Reset": "30"]),
    ]

    static let structured: [Row] = [
        Row(headers: ["RateLimit": #""default";r=0;t=30"#], quotas: [quota(0, .seconds(30), #"RateLimit: "default""#)]),
        Row(headers: ["ratelimit": "hour; r=5 ; t=9"], quotas: [quota(5, .seconds(9), "RateLimit: hour")]),
        Row(
            headers: ["RateLimit": #""a,b;c";r=1;t=2, "q\"";t=4;r=3;pk=:cHNzdDs=:"#],
            quotas: [quota(1, .seconds(2), #"RateLimit: "a,b;c""#), quota(3, .seconds(4), #"RateLimit: "q\"""#)]),
        Row(
            headers: ["RateLimit": #""a";r=1;t=2"#, "Ratelimit": #""b";r=3;t=4"#],
            quotas: [quota(1, .seconds(2), #"RateLimit: "a""#), quota(3, .seconds(4), #"RateLimit: "b""#)]),
        Row(headers: ["RateLimit": "limit=100, remaining=0, reset=50"], quotas: [quota(0, .seconds(50))]),
        Row(headers: ["RateLimit": "Remaining=7,Reset=5"], quotas: [quota(7, .seconds(5))]),
        Row(headers: ["RateLimit": #""default";r=0"#]),
        Row(headers: ["RateLimit": #""default";t=9"#]),
        Row(
            headers: ["RateLimit": #""default";r=x;t=9, "b";r=2;t=3"#],
            quotas: [quota(2, .seconds(3), #"RateLimit: "b""#)]),
        Row(headers: ["RateLimit": "limit=100"]),
        Row(headers: ["RateLimit": #"""#]),
        Row(headers: ["RateLimit": #""never ends;r=0;t=1"#]),
        Row(headers: ["RateLimit": ",;=,;;="]),
        Row(headers: ["RateLimit": "é\u{301};r=é;t=\u{FE0F}, ü=;ü"]),
        Row(headers: ["RateLimit": #"""# + String(repeating: "a", count: 5_000) + #"";r=0;t=1"#]),
        Row(
            headers: ["RateLimit": (1...99).map { "q\($0);r=\($0);t=1" }.joined(separator: ",")],
            quotas: (1...8).map { quota($0, .seconds(1), "RateLimit: q\($0)") }),
    ]

    static let pauses: [Row] = [
        Row(headers: ["Retry-After": "7"], status: 429, pause: .seconds(7)),
        Row(headers: ["Retry-After": "7"], status: 503, pause: .seconds(7)),
        Row(headers: ["Retry-After": "7"], status: 301),
        Row(headers: ["Retry-After": "Tue, 14 Nov 2023 22:13:25 GMT"], status: 429, pause: .seconds(5)),
        Row(
            headers: ["Retry-After": "Tue, 14 Nov 2023 22:13:25 GMT", "Date": "Tue, 14 Nov 2023 22:13:24 GMT"],
            status: 429, pause: .seconds(1)),
        Row(headers: ["Retry-After": "soon"], status: 429),
        Row(headers: ["Retry-After": "99999999999999999999"], status: 503, pause: .seconds(86_400)),
        Row(
            headers: ["Retry-After": "7", "RateLimit-Remaining": "0", "RateLimit-Reset": "9"], status: 429,
            quotas: [quota(0, .seconds(9))], pause: .seconds(7)),
    ]

    @Test(arguments: pairs + structured + pauses) func `quotas and pauses are parsed from response headers`(row: Row) {
        let reading = RateLimitReading(status: row.status, headers: row.headers, date: Self.now)
        #expect(reading.quotas == row.quotas && reading.pause == row.pause)
        #expect(reading.isEmpty == (row.quotas.isEmpty && row.pause == nil && row.status != 429))
    }

    @Test func `the name of a quota is limited in length`() {
        let long = String(repeating: "ä", count: 1_000)
        let reading = RateLimitReading(status: 200, headers: ["RateLimit": "\(long);r=1;t=1"], date: Self.now)
        #expect(reading.quotas.first.map { $0.name.utf8.count <= 70 } == true)
    }

    @Test(
        arguments: [
            (403, ["Retry-After": "7"], .seconds(7), false), (200, ["Retry-After": "7"], .seconds(7), false),
            (404, ["Retry-After": "7"], nil, false), (403, ["X-RateLimit-Remaining": "0"], nil, true),
            (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000060"], nil, false),
            (403, ["X-RateLimit-Remaining": "1"], nil, false), (403, [:], nil, false), (429, [:], nil, true),
        ] as [(Int, HeaderFields, Duration?, Bool)])
    func `the GitHub policy parses a pause with 403 and 200`(
        status: Int, headers: HeaderFields, pause: Duration?, isRefusal: Bool
    ) {
        let reading = RateLimitReading(status: status, headers: headers, date: Self.now, policy: .github)
        #expect(reading.pause == pause && reading.isRefusal == isRefusal)
        let usual = RateLimitReading(status: status, headers: headers, date: Self.now)
        #expect(usual.pause == nil && usual.isRefusal == (status == 429))
    }
}
