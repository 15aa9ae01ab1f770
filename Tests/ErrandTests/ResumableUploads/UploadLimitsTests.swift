import Errand
import Testing

@Suite struct UploadLimitsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let header: String
        let limits: UploadLimits?
        var testDescription: String { header }

        init(_ header: String, _ limits: UploadLimits?) { (self.header, self.limits) = (header, limits) }
    }

    static let rows: [Row] = [
        Row("max-size=1000", UploadLimits(size: 1_000)),
        Row("max-append-size=5, min-append-size=2", UploadLimits(minimumChunk: 2, maximumChunk: 5)),
        Row("min-size=0", UploadLimits()), Row("max-age=3600,max-size=7", UploadLimits(size: 7)),
        Row("max-size=7;q=1", UploadLimits(size: 7)), Row("max-size=1, max-size=2", UploadLimits(size: 2)),
        Row(#"note="a, max-size=\"5", max-size=9"#, UploadLimits(size: 9)),
        Row("unknown, max-size=3", UploadLimits(size: 3)),
        Row("max-size=-1", nil), Row("max-size=1.5", nil), Row("max-size", nil), Row("max-size=\"7\"", nil),
        Row("max-size=1234567890123456", nil), Row("max-append-size=0", nil), Row("Max-Size=7", nil), Row("", nil),
        Row("max-size=7,", nil), Row("max size=7", nil),
    ]

    @Test(arguments: rows)
    func `limits are a dictionary of integers`(row: Row) {
        #expect(UploadLimits(row.header) == row.limits)
    }

    @Test func `a missing header has no limits`() {
        #expect(UploadLimits(nil) == nil)
    }

    @Test func `a large header is parsed in linear time`() {
        let header = String(repeating: "a=\"", count: 500_000)
        #expect(UploadLimits(header) != nil)
        #expect(UploadLimits(String(repeating: "a=1,", count: 500_000) + "max-size=1")?.size == 1)
    }
}
