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
        Row("nothing", ""), Row("one", "one\n", "one"), Row("last line without a terminator", "one\ntwo", "one", "two"),
        Row("CRLF", "one\r\ntwo\r\n", "one", "two"), Row("mixed", "a\nb\r\nc\n", "a", "b", "c"),
        Row("empty lines", "\n\na\n\n", "", "", "a", ""), Row("empty CRLF lines", "\r\n\r\n", "", ""),
        Row("carriage return without line feed", "a\rb\r\rc\n", "a\rb\r\rc"),
        Row("two carriage returns", "a\r\r\n", "a\r"),
        Row("carriage return as last line", "a\n\r", "a", "\r"),
        Row("other separators are content", "a\u{2028}b\u{B}\u{85}\n", "a\u{2028}b\u{B}\u{85}"),
        Row("multibyte characters", "žluťoučký kůň\n🐎👩‍👩‍👧\né", "žluťoučký kůň", "🐎👩‍👩‍👧", "é"),
        Row("invalid UTF-8", bytes: [0x61, 0xFF, 0x0A, 0xC3, 0x0A, 0xE2, 0x82], "a\u{FFFD}", "\u{FFFD}", "\u{FFFD}"),
        Row("NUL", bytes: [0x61, 0, 0x62, 0x0A], "a\0b"),
    ]

    @Test(arguments: rows)
    func `lines do not depend on chunk boundaries`(row: Row) async throws {
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
    func `a line may reach its limit but not exceed it`(text: String, size: Int) async throws {
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
        #expect(
            error?.code == .bodyTooLarge
                && error?.reason
                    == "expected lines of at most 4 bytes, found more: use lines(upTo:) with a larger limit"
        )
        #expect(stream.isStopped, "the transfer was not stopped")
        #expect(try await lines.next() == nil)
    }

    @Test func `an endless line fails at the default limit`() async throws {
        let probe = BodyProbe(endless: Data(repeating: 0x61, count: 100_000))
        let error = await #expect(throws: ServiceError.self) { for try await _ in probe.body.lines {} }
        #expect(error?.code == .bodyTooLarge && ResponseBody.defaultLineLimit == 1 << 20)
        #expect(probe.readCount == 11)
    }

    @Test func `lines before a failure are delivered, and breaking stops the transfer`() async throws {
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

    @Test func `the lines of a stream can be read only once`() async throws {
        let body = ResponseBody(stream: AsyncParts([Data("a\n".utf8)]))
        for try await _ in body.lines {}
        let error = await #expect(throws: ServiceError.self) { for try await _ in body.lines {} }
        #expect(error?.code == .configuration)
    }
}
