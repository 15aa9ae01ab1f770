import ErrandValkey
import Foundation
import TestSupport
import Testing

@Suite struct RESPParserTests {
    private static let replies: [(text: String, value: RESPValue)] = [
        ("+OK\r\n", .text(Data("OK".utf8))),
        ("-ERR unknown command\r\n", .error("ERR unknown command")),
        (":-12\r\n", .integer(-12)),
        ("$5\r\na\r\nb\n\r\n", .text(Data("a\r\nb\n".utf8))),
        ("$0\r\n\r\n", .text(Data())),
        ("$-1\r\n", .null), ("*-1\r\n", .null), ("_\r\n", .null),
        ("*0\r\n", .array([])),
        ("*2\r\n:1\r\n*1\r\n$1\r\nx\r\n", .array([.integer(1), .array([.text(Data("x".utf8))])])),
        (",-1.5e3\r\n", .double(-1_500)),
        ("#t\r\n", .boolean(true)), ("#f\r\n", .boolean(false)),
        ("(349\r\n", .text(Data("349".utf8))),
        ("!5\r\nOOM x\r\n", .error("OOM x")),
        ("=7\r\ntxt:abc\r\n", .text(Data("abc".utf8))),
        ("~1\r\n:1\r\n", .array([.integer(1)])),
        ("%1\r\n+k\r\n:1\r\n", .map([.text(Data("k".utf8)), .integer(1)])),
        (">1\r\n+invalidate\r\n", .push([.text(Data("invalidate".utf8))])),
        ("|1\r\n+ttl\r\n:5\r\n:7\r\n", .integer(7)),
        ("*1\r\n|1\r\n+ttl\r\n:5\r\n:7\r\n", .array([.integer(7)])),
        ("|0\r\n:7\r\n", .integer(7)),
    ]

    private func parse(_ bytes: Data, by count: Int) throws -> [RESPValue] {
        var parser = RESPParser()
        var values: [RESPValue] = []
        for start in stride(from: 0, to: bytes.count, by: count) {
            parser.append(bytes[start..<min(start + count, bytes.count)])
            while let value = try parser.next() { values.append(value) }
        }
        #expect(!parser.isInReply)
        return values
    }

    @Test(arguments: [1, 2, 3, 5, 7, 64, 100_000])
    func `replies arrive in parts of any size`(size: Int) throws {
        let bytes = Data(Self.replies.map(\.text).joined().utf8)
        #expect(try parse(bytes, by: size) == Self.replies.map(\.value))
    }

    @Test func `a reply can be split at every byte`() throws {
        for (text, value) in Self.replies {
            for split in 1..<text.utf8.count {
                var parser = RESPParser()
                parser.append(text.utf8.prefix(split))
                #expect(try parser.next() == nil, "\(text.debugDescription) split at \(split)")
                parser.append(text.utf8.dropFirst(split))
                #expect(try parser.next() == value && !parser.isInReply)
            }
        }
    }

    @Test(arguments: [
        "?\r\n", "\r\n", "\n", "+OK\n", ":\r\n", ":1x\r\n", ":99999999999999999999\r\n", "$x\r\n", "$-2\r\n", "*-2\r\n",
        "$3\r\nabcd\r\n", "$99999999999\r\n", "*99999999999\r\n", "#x\r\n", "_x\r\n", ",one\r\n", "=2\r\nab\r\n",
        "*1\r\n>0\r\n", "%-1\r\n", String(repeating: "*1\r\n", count: 17),
    ])
    func `a malformed reply is an error`(text: String) {
        var parser = RESPParser()
        parser.append(text.utf8)
        #expect(throws: RESPFailure.self) { try parser.next() }
    }

    @Test func `replies have limits`() {
        var limits = RESPParser.Limits()
        (limits.bytes, limits.values, limits.line) = (64, 4, 16)
        let texts = [
            "$65\r\n", "*2\r\n$30\r\n\(String(repeating: "x", count: 30))\r\n$30\r\n", "*5\r\n",
            "*2\r\n*2\r\n:1\r\n:1\r\n:1\r\n",
            "+\(String(repeating: "x", count: 20))",
        ]
        for text in texts {
            var parser = RESPParser(limits)
            parser.append(text.utf8)
            #expect(throws: RESPFailure.self, "\(text.debugDescription)") { while try parser.next() != nil {} }
        }
        var parser = RESPParser(limits)
        for _ in 0..<100 {
            parser.append("*2\r\n:1\r\n:2\r\n".utf8)
            #expect(throws: Never.self) { try parser.next() }
        }
    }

    @Test func `random bytes are parsed or rejected`() {
        var random = SplitMix(state: 3)
        let alphabet = Array("+-:$*_#,(!=%~>|0123456789\r\nabc".utf8)
        for _ in 0..<TestEnvironment.rounds(20_000, heavy: 400_000, patient: 2_000) {
            var parser = RESPParser()
            for _ in 0..<3 {
                let count = Int.random(in: 0...24, using: &random)
                parser.append((0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
                do {
                    while try parser.next() != nil {}
                } catch {
                    break
                }
            }
        }
    }

    @Test func `a command is an array of strings`() {
        #expect(RESPCommand("SET", "a\r\n", "").encoded == Data("*3\r\n$3\r\nSET\r\n$3\r\na\r\n\r\n$0\r\n\r\n".utf8))
    }
}
