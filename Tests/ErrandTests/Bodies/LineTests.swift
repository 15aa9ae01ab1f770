import Errand
import TestSupport
import Testing

@Suite struct LineTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: Data
        let lines: [String]
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ lines: String...) {
            (self.name, self.bytes, self.lines) = (name, Data(text.utf8), lines)
        }

        init(_ name: String, bytes: [UInt8], _ lines: String...) {
            (self.name, self.bytes, self.lines) = (name, Data(bytes), lines)
        }
    }

    static let rows: [Row] = [
        Row("nothing", ""), Row("one", "one\n", "one"), Row("the last without an end", "one\ntwo", "one", "two"),
        Row("CRLF", "one\r\ntwo\r\n", "one", "two"), Row("mixed", "a\nb\r\nc\n", "a", "b", "c"),
        Row("empty lines", "\n\na\n\n", "", "", "a", ""), Row("empty CRLF lines", "\r\n\r\n", "", ""),
        Row("a carriage return alone", "a\rb\r\rc\n", "a\rb\r\rc"), Row("two before the end", "a\r\r\n", "a\r"),
        Row("the last is a carriage return", "a\n\r", "a", "\r"),
        Row("other ends are none", "a\u{2028}b\u{B}\u{85}\n", "a\u{2028}b\u{B}\u{85}"),
        Row("whole characters", "žluťoučký kůň\n🐎👩‍👩‍👧\né", "žluťoučký kůň", "🐎👩‍👩‍👧", "é"),
        Row("repaired", bytes: [0x61, 0xFF, 0x0A, 0xC3, 0x0A, 0xE2, 0x82], "a\u{FFFD}", "\u{FFFD}", "\u{FFFD}"),
        Row("NUL", bytes: [0x61, 0, 0x62, 0x0A], "a\0b"),
    ]

    @Test(arguments: rows)
    func `lines are the same, however the bytes are cut`(row: Row) async throws {
        var bodies = [ResponseBody(row.bytes)]
        for size in 1...max(1, row.bytes.count) {
            let parts = stride(from: 0, to: row.bytes.count, by: size).map {
                row.bytes[$0..<min($0 + size, row.bytes.count)]
            }
            bodies.append(ResponseBody(stream: AsyncParts(parts.flatMap { [$0, Data()] })))
        }
        for body in bodies {
            var lines: [String] = []
            for try await line in body.lines { lines.append(line) }
            #expect(lines == row.lines)
        }
    }

    @Test(arguments: ["12345", "12345\n", "12345\r\n", "a\n12345\r\nb"], [1, 3, 100])
    func `a line as long as its limit is read, a longer one is an error`(text: String, size: Int) async throws {
        let bytes = Data(text.utf8)
        let parts = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
        var longest = 0
        for try await line in ResponseBody(stream: AsyncParts(parts)).lines(upTo: 5) {
            longest = max(longest, line.count)
        }
        #expect(longest == 5)
        let stream = BodyProbe(parts)
        var lines = stream.body.lines(upTo: 4).makeAsyncIterator()
        let error = await #expect(throws: ServiceError.self) { while try await lines.next() != nil {} }
        #expect(error?.code == .bodyTooLarge && error?.reason == "a line has more than 4 bytes")
        #expect(stream.isStopped, "the transfer goes on")
        #expect(try await lines.next() == nil)
    }

    @Test func `a line without an end does not grow beyond its limit`() async throws {
        let probe = BodyProbe(endless: Data(repeating: 0x61, count: 100_000))
        let error = await #expect(throws: ServiceError.self) { for try await _ in probe.body.lines {} }
        #expect(error?.code == .bodyTooLarge && ResponseBody.standardLineLimit == 1 << 20)
        #expect(probe.readCount == 11)
    }

    @Test func `lines before a failure are read, and leaving early ends the transfer`() async throws {
        let failing = ResponseBody(stream: AsyncParts([Data("a\nb".utf8)], then: URLError(.networkConnectionLost)))
        var lines: [String] = []
        let error = await #expect(throws: ServiceError.self) {
            for try await line in failing.lines { lines.append(line) }
        }
        #expect(error?.code == .connectionLost && lines == ["a"])
        let probe = BodyProbe(endless: Data("line\n".utf8))
        for try await line in probe.body.lines {
            #expect(line == "line")
            break
        }
        #expect(probe.isStopped && probe.readCount == 1)
    }

    @Test func `a stream's lines are read once`() async throws {
        let body = ResponseBody(stream: AsyncParts([Data("a\n".utf8)]))
        for try await _ in body.lines {}
        let error = await #expect(throws: ServiceError.self) { for try await _ in body.lines {} }
        #expect(error?.code == .configuration)
    }
}
