import Errand
import TestSupport
import Testing

@Suite struct MessageHeadTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var head: [UInt8]
        /// The status, reason and headers. `nil` if the header section is rejected.
        var says: String?

        init(_ head: String, _ says: String?) { self.init(Array(head.utf8), says) }

        init(_ head: [UInt8], _ says: String?) {
            self.head = head
            self.says = says
        }

        var testDescription: String { String(decoding: head, as: UTF8.self).debugDescription }
    }

    private func read(_ bytes: [UInt8]) -> String? {
        guard let head = try? MessageHead(bytes) else { return nil }
        return (["\(head.status)|\(head.reason)"] + head.headers.map { "\($0.name)=\($0.value)" }).joined(
            separator: "|")
    }

    @Test(arguments: [
        Row("HTTP/1.1 200 OK\r\n\r\n", "200|OK"),
        Row("HTTP/1.1 200 \r\n\r\n", "200|"),
        Row("HTTP/1.1 200\r\n\r\n", "200|"),
        Row("HTTP/1.1 200 OK\n\n", "200|OK"),
        Row("HTTP/1.1 200 OK", "200|OK"),
        Row("HTTP/2 204 \r\n\r\n", "204|"),
        Row("HTTP/3 999\r\n\r\n", "999|"),
        Row("HTTP/1.0 404 Not  There \r\n\r\n", "404|Not  There "),
        Row("HTTP/1.1 299 Schön\r\n\r\n", "299|Schön"),
        Row(Array("HTTP/1.1 200 caf".utf8) + [0xE9, 13, 10, 13, 10], "200|café"),
        Row("", nil),
        Row("\r\n\r\n", nil),
        Row("\r\nHTTP/1.1 200 OK\r\n\r\n", nil),
        Row(" HTTP/1.1 200 OK\r\n\r\n", nil),
        Row("http/1.1 200 OK\r\n\r\n", nil),
        Row("ICY 200 OK\r\n\r\n", nil),
        Row("HTTP/ 200 OK\r\n\r\n", nil),
        Row("HTTP/1.10 200 OK\r\n\r\n", nil),
        Row("HTTP/1. 200 OK\r\n\r\n", nil),
        Row("HTTP/1x1 200 OK\r\n\r\n", nil),
        Row("HTTP/a 200 OK\r\n\r\n", nil),
        Row("HTTP/1.1\t200 OK\r\n\r\n", nil),
        Row("HTTP/1.1  200 OK\r\n\r\n", nil),
        Row("HTTP/1.1 20 OK\r\n\r\n", nil),
        Row("HTTP/1.1 2000 OK\r\n\r\n", nil),
        Row("HTTP/1.1 099 OK\r\n\r\n", nil),
        Row("HTTP/1.1 000 OK\r\n\r\n", nil),
        Row("HTTP/1.1 -20 OK\r\n\r\n", nil),
        Row("HTTP/1.1 +20 OK\r\n\r\n", nil),
        Row("HTTP/1.1 ٢٠٠ OK\r\n\r\n", nil),
        Row("HTTP/1.1 200OK\r\n\r\n", nil),
        Row("HTTP/1.1 200\tOK\r\n\r\n", nil),
    ])
    func `a status line is parsed strictly`(row: Row) {
        #expect(read(row.head) == row.says)
    }

    /// One parser could treat these characters as the end of a line and another as part of it.
    @Test(arguments: ["a\rb", "a\r\rb", "a\0b", "\0", "a\r"])
    func `a reason or value with a bare CR or NUL is rejected`(text: String) {
        let inReason = Array("HTTP/1.1 200 \(text)\r\n\r\n".utf8)
        let inValue = Array("HTTP/1.1 200 OK\r\nA: \(text)\r\n\r\n".utf8)
        for head in [inReason, inValue] {
            let error = #expect(throws: ServiceError.self) { try MessageHead(head) }
            #expect(error?.code == .badResponse)
        }
    }

    @Test(arguments: [
        Row("A: b", "A=b"),
        Row("A:b", "A=b"),
        Row("A: \t b c \t ", "A=b c"),
        Row("A:", "A="),
        Row("A: \t", "A="),
        Row("A: :b:", "A=:b:"),
        Row("A: 1\r\na: 2\r\nA: 3", "A=1|a=2|A=3"),
        Row("!#$%&'*+-.^_`|~09az: x", "!#$%&'*+-.^_`|~09az=x"),
        Row("A: b\r\n c", "A=b c"),
        Row("A: b\r\n\t c \r\n  d", "A=b c d"),
        Row("A:\r\n b", "A= b"),
        Row("A: b\r\n \r\nB: c", "A=b |B=c"),
        Row("A: ünï", "A=ünï"),
        Row(Array("A: ".utf8) + [0xFC, 0x6E, 0xEF], "A=ünï"),
        Row(Array("A: ".utf8) + [0xC3, 0xBC, 0xFC], "A=Ã¼ü"),
        Row("A: b\r\n\r\nB: c", "A=b"),
        Row(" A: b", nil),
        Row("\tA: b", nil),
        Row("A : b", nil),
        Row("A\t: b", nil),
        Row(": b", nil),
        Row("A", nil),
        Row("A: b\r\nno colon", nil),
        Row("Ä: b", nil),
        Row("A B: c", nil),
        Row("A\0: b", nil),
        Row("(A): b", nil),
        Row("A,B: c", nil),
    ])
    func `header lines are parsed strictly`(row: Row) {
        let head = Array("HTTP/1.1 200 OK\r\n".utf8) + row.head + Array("\r\n\r\n".utf8)
        #expect(read(head) == row.says.map { "200|OK|" + $0 })
        let trailers = (try? MessageHead.headers(in: row.head + Array("\r\n\r\n".utf8)))?
            .map { "\($0.name)=\($0.value)" }.joined(separator: "|")
        #expect(trailers == row.says)
    }

    @Test func `an empty trailer section has no headers`() throws {
        #expect(try MessageHead.headers(in: []).isEmpty)
        #expect(try MessageHead.headers(in: [13, 10]).isEmpty)
    }

    @Test func `2,000 header lines are accepted, and no more`() throws {
        func head(_ lines: Int) -> [UInt8] {
            Array("HTTP/1.1 200 OK\r\n".utf8) + Array(String(repeating: "A: b\r\n", count: lines).utf8) + [13, 10]
        }
        #expect(try MessageHead(head(MessageHead.lineLimit)).headers.count == 2_000)
        #expect(throws: ServiceError.self) { try MessageHead(head(MessageHead.lineLimit + 1)) }
    }

    /// Each folded line makes the value longer. Eight times the lines must not cost sixty-four times the time.
    @Test func `the cost of folded header lines is linear`() throws {
        func cost(_ lines: Int) throws -> Duration {
            let folded = String(repeating: " abcdefgh\r\n", count: lines)
            let head = Array("HTTP/1.1 200 OK\r\nA: b\r\n\(folded)\r\n".utf8)
            var count = 0
            let elapsed = try ContinuousClock().measure { count = try MessageHead(head).headers["A"]?.utf8.count ?? 0 }
            #expect(count == 1 + 9 * lines)
            return elapsed
        }
        let ratios = try (0..<3).map { _ in try cost(16_000) / cost(2_000) }
        #expect((ratios.min() ?? 0) < 24, "\(ratios)")
    }

    @Test func `random bytes are parsed or rejected`() {
        var random = SplitMix(state: 41)
        let pieces: [[UInt8]] =
            ["HTTP/1.1 ", "200", " OK", "\r\n", "\n", "\r", ":", " ", "\t", "A", "\0", "é", "chunked"]
            .map { Array($0.utf8) } + [[0xFF], [0xC3]]
        for _ in 0..<TestEnvironment.rounds(20_000, heavy: 500_000, patient: 5_000) {
            var head = random.next() % 4 == 0 ? [] : Array("HTTP/1.1 200 OK\r\n".utf8)
            for _ in 0..<(random.next() % 12) { head += pieces[Int(random.next() % UInt64(pieces.count))] }
            guard let read = try? MessageHead(head) else { continue }
            #expect((100...999).contains(read.status))
            for header in read.headers { #expect(header.flaw == nil, "\(head)") }
        }
    }
}
