import Errand
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

/// Text of a server with characters that hide text or control a terminal, in every output that a program can print.
@Suite struct HiddenCharacterTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let range: ClosedRange<UInt32>
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "C0", range: 0x00...0x1F), Row(name: "DEL and C1", range: 0x7F...0x9F),
        Row(name: "soft hyphen", range: 0xAD...0xAD), Row(name: "grapheme joiner", range: 0x34F...0x34F),
        Row(name: "Arabic letter mark", range: 0x61C...0x61C), Row(name: "Hangul fillers", range: 0x115F...0x1160),
        Row(name: "zero width and directional marks", range: 0x200B...0x200F),
        Row(name: "separators and embeddings", range: 0x2028...0x202E),
        Row(name: "invisible operators and isolates", range: 0x2060...0x206F),
        Row(name: "Hangul filler", range: 0x3164...0x3164), Row(name: "variation selectors", range: 0xFE00...0xFE0F),
        Row(name: "byte order mark", range: 0xFEFF...0xFEFF), Row(name: "annotations", range: 0xFFF9...0xFFFB),
        Row(name: "tags", range: 0xE0001...0xE0002), Row(name: "more selectors", range: 0xE0100...0xE0102),
    ]

    @Test(arguments: rows) func `every output escapes hidden characters`(row: Row) async throws {
        for scalar in row.range.compactMap(Unicode.Scalar.init) {
            let text = "a \(scalar)b"
            let shown = "a \\u{\(String(scalar.value, radix: 16, uppercase: true))}b"
            for (name, output) in try await Self.outputs(text) {
                #expect(!output.unicodeScalars.contains(scalar) || scalar == "\n", "\(name): \(shown)")
                #expect(output.contains(shown) || name == "cURL" || output.contains(#"a \\u{"#), "\(name): \(output)")
            }
        }
    }

    /// Each kind of output of a server's text.
    private static func outputs(_ text: String) async throws -> [(String, String)] {
        let url = try #require(URL(string: "https://a.test/p"))
        let problem = try JSONDecoder().decode(
            ProblemDetails.self, from: JSONEncoder().encode(["title": text, "detail": "x"]))
        var error = ServiceError(.status, text)
        error.serverError = problem
        error.response = ResponseHead(status: 400, reason: text, headers: ["X-Note": text], url: url)
        let recorder = Trail.Recorder()
        recorder.note(text, from: .init("server"))
        let log = Locked<[String]>([])
        let sink = LoggingInterceptor.PrintSink { line in log.withLock { $0.append(line) } }
        let session = ScriptedSession([.failure(ServiceError(.transport, text))])
        let request = try APIRequest(URLRequest(url: url))
        _ = try? await session.intercepted(by: LoggingInterceptor(sink)).send(request)
        var dumped = ""
        dump(error, to: &dumped)
        var head = URLRequest(url: url)
        head.httpMethod = "POST"
        head.httpBody = try JSONEncoder.errand.encode(["a": text])
        return [
            ("description", "\(error)"), ("debugDescription", String(reflecting: error)), ("dump", dumped),
            ("localizedDescription", error.localizedDescription), ("problem details", "\(problem)"),
            ("head", error.response.map { "\($0)" } ?? ""), ("trail", "\(recorder.trail)"),
            ("trail JSON", recorder.trail.json), ("log", log.withLock { $0.joined() }), ("cURL", head.cURLCommand()),
        ]
    }

    @Test func `joiners in emoji and words are preserved`() {
        for text in [
            "\u{1F469}\u{200D}\u{1F467}", "\u{645}\u{6CC}\u{200C}\u{62E}", "\u{2764}\u{FE0F}", "1\u{FE0F}\u{20E3}",
        ] {
            #expect(text.singleLine() == text)
        }
        #expect("\u{1F441}\u{FE0F}\u{200D}\u{1F5E8}\u{FE0F}".singleLine().contains("\\") == false)
        #expect("é\u{200D}\u{200D}é".singleLine() == "é\\u{200D}\\u{200D}é")
        #expect("é\u{FE01}\u{FE02}\u{FE03}".singleLine() == "é\u{FE01}\\u{FE02}\\u{FE03}")
    }

    @Test func `an escape counts toward the limit and is never split`() {
        #expect("abcdef".singleLine(limit: 3) == "abc…" && "abc".singleLine(limit: 3) == "abc")
        #expect("a\u{1B}b".singleLine(limit: 8) == "a\\u{1B}b" && "a\u{1B}b".singleLine(limit: 7) == "a\\u{1B}…")
        #expect("a\u{1B}b".singleLine(limit: 6) == "a…")
    }
}
