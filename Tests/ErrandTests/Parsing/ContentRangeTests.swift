import Errand
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-99/200", 0...99, 200), ("bytes 0-99/*", 0...99, nil), ("bytes */200", nil, 200),
            ("bytes 0-0/1", 0...0, 1), ("BYTES 5-5/6", 5...5, 6), ("bytes */0", nil, 0),
            ("bytes 007-08/0010", 7...8, 10),
            (
                "bytes 9223372036854775805-9223372036854775806/9223372036854775807",
                9_223_372_036_854_775_805...9_223_372_036_854_775_806, .max
            ),
            ("bytes 0-9223372036854775806/*", 0...9_223_372_036_854_775_806, nil),
        ] as [(String, ClosedRange<Int64>?, Int64?)])
    func `a valid range is parsed`(text: String, range: ClosedRange<Int64>?, length: Int64?) throws {
        let parsed = try #require(ContentRange(text))
        #expect(parsed.range == range && parsed.completeLength == length)
        #expect(parsed.count == (range.map { $0.upperBound - $0.lowerBound + 1 } ?? 0))
    }

    @Test(arguments: [
        "", "bytes", "bytes ", "bytes */*", "bytes 0-99", "bytes 0-99/", "bytes /200", "bytes -99/200", "bytes 0-/200",
        "bytes 5-4/200", "bytes 0-200/200", "bytes 0-99/99", "bytes  0-99/200", "bytes 0 -99/200", "bytes 0-99/200 ",
        " bytes 0-99/200", "bytes=0-99/200", "bytes 0-99/200/300", "bytes 0-99-100/200", "bytes +0-99/200",
        "bytes 0-+99/200", "bytes -1-99/200", "bytes 0-99/-200", "bytes 0x0-0x9/200", "bytes ٠-٩/200",
        "bytes 0-9223372036854775807/*", "bytes 0-9223372036854775808/*", "bytes 0-1/99999999999999999999",
        "items 0-99/200", "bytes\t0-99/200", "bytes 0-99/200, bytes 0-99/200", "bytes **/200", "bytes 0-*/200",
    ]) func `a malformed range is refused`(text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test func `a request names its range`() throws {
        #expect(ByteRange(from: 500)?.header == HeaderFields.Field("Range", "bytes=500-"))
        #expect(ByteRange(0...99)?.header == HeaderFields.Field("Range", "bytes=0-99"))
        #expect(ByteRange(from: .max)?.header.value == "bytes=9223372036854775807-")
        #expect(ByteRange(from: -1) == nil && ByteRange(-1...5) == nil)
    }

    @Test(arguments: ["0", "9", "-", "/", "*", " ", "bytes "]) func `a hostile range takes linear time`(unit: String)
        async throws
    {
        for start in ["bytes ", "bytes 0-", "bytes 0-0/", "bytes */"] {
            let growth = try await ProcessorTime.growth(ofRepeating: unit) { _ = ContentRange(start + $0.dropFirst()) }
            #expect(growth < 48, "\(start)")
            _ = ContentRange(start + String(repeating: unit, count: (1 << 20) / unit.utf8.count))
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func `a mutated range is consistent or refused`(seed: UInt64) {
        var random = SplitMix(state: seed)
        for _ in 0..<100 {
            var bytes = Array("bytes 10-199/2000".utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                    "0123456789-/* b".utf8.randomElement(using: &random) ?? 0
            }
            guard let range = ContentRange(String(decoding: bytes, as: UTF8.self)) else { continue }
            #expect(range.range != nil || range.completeLength != nil)
            if let last = range.range?.upperBound, let length = range.completeLength { #expect(last < length) }
        }
    }
}
