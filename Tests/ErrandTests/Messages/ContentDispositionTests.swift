import Errand
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ContentDispositionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let header: String
        let type: String
        let parameters: [[String]]
        let fileName: String?
        var testDescription: String { header }

        init(_ header: String, _ type: String, _ parameters: [String]..., file fileName: String? = nil) {
            (self.header, self.type, self.parameters, self.fileName) = (header, type, parameters, fileName)
        }
    }

    static let rows: [Row] = [
        Row("attachment", "attachment"), Row(" INLINE ;", "inline"), Row("", ""), Row(";;;", ""),
        Row("attachment; filename=a.txt", "attachment", ["filename", "a.txt"], file: "a.txt"),
        Row(#"attachment; filename="a;b.txt""#, "attachment", ["filename", "a;b.txt"], file: "a;b.txt"),
        Row(#"attachment;FileName = "a.txt" ;x=1"#, "attachment", ["filename", "a.txt"], ["x", "1"], file: "a.txt"),
        Row(
            #"attachment; filename="a.txt"junk; x=1"#, "attachment", ["filename", "a.txt"], ["x", "1"], file: "a.txt"),
        Row(#"attachment; filename="a\"b\\c""#, "attachment", ["filename", #"a"b\c"#], file: #"a"b\c"#),
        Row(#"attachment; filename="open; x=1"#, "attachment", ["filename", "open; x=1"], file: "open; x=1"),
        Row(#"attachment; filename="end\"#, "attachment", ["filename", #"end\"#], file: #"end\"#),
        Row("attachment; filename=a b.txt", "attachment", ["filename", "a b.txt"], file: "a b.txt"),
        Row("attachment; filename; =x; filename=b", "attachment", ["filename", "b"], file: "b"),
        Row("attachment; filename=a; FILENAME=b", "attachment", ["filename", "a"], file: "a"),
        Row("attachment; filename=%41%", "attachment", ["filename", "%41%"], file: "%41%"),
        Row("filename=a.txt", "filename=a.txt"),
        Row(
            "attachment; filename=a; filename*=UTF-8''%e2%82%ac(1)'!.txt", "attachment", ["filename", "a"],
            ["filename*", "UTF-8''%e2%82%ac(1)'!.txt"], file: "€(1)'!.txt"),
        Row(
            "attachment; filename*=utf-8'en'%f0%9f%98%80; filename=a", "attachment",
            ["filename*", "utf-8'en'%f0%9f%98%80"], ["filename", "a"], file: "😀"),
        Row(
            #"form-data; name="a%22b"; filename="c%0D%0a%41.txt""#, "form-data", ["name", #"a"b"#],
            ["filename", "c\r\n%41.txt"], file: "c\r\n%41.txt"),
        Row("form-data; filename*=UTF-8''a%22b", "form-data", ["filename*", "UTF-8''a%22b"], file: #"a"b"#),
    ]

    @Test(arguments: rows) func `a header is parsed into its type and parameters`(row: Row) {
        let header = ContentDisposition(row.header)
        #expect(header.type == row.type && header.parameters.map { [$0.name, $0.value] } == row.parameters)
        #expect(header.fileName == row.fileName)
    }

    @Test(arguments: ["UTF-8''", "UTF-8''..", "UTF-8''%2F", "UTF-8''%20"])
    func `an extended name of which nothing is left is not used`(value: String) {
        #expect(ContentDisposition("attachment; filename=b.txt; filename*=\(value)").safeFileName == "b.txt")
        #expect(ContentDisposition("attachment; filename*=\(value)").safeFileName == nil)
    }

    @Test(arguments: [
        "UTF-8''%ff", "UTF-8''%c0%af", "UTF-8''%ed%a0%80", "UTF-8''a%2", "UTF-8''a%", "UTF-8''%zz", "UTF-8''a b",
        "UTF-8''é", "UTF-8'a", "UTF-8", "UTF-8''a\\b", "'en'a", "latin1''a", "UTF-16''a", "ISO-8859-15''a",
        #""UTF-8''a""#,
    ]) func `an invalid extended name is ignored`(value: String) {
        #expect(ContentDisposition("attachment; filename*=\(value); filename=b.txt").fileName == "b.txt")
        #expect(ContentDisposition("attachment; filename*=\(value)").fileName == nil)
    }

    /// Texts from `JSONSerialization`, without the case that the other parser creates from a value.
    struct Vector: Decodable {
        struct Expected: Decodable { let type: String, parameters: [String: String] }
        let name: String
        let input: Input
        let options: [String: Bool]?
        let expected: Expected

        /// The input, or `nil` for an input that is not a text.
        struct Input: Decodable {
            let text: String?
            init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
        }

        /// The header. The input of one case is the result of a function of another library. Its result is also the
        /// extended parameters.
        var header: String {
            let extended = expected.parameters.filter { $0.key.hasSuffix("*") }.sorted { $0.key < $1.key }
            return input.text
                ?? ([expected.type] + extended.map { "\($0.key)=\($0.value)" }).joined(separator: "; ")
        }
    }

    @Test(.enabled(if: TestEnvironment.vectors != nil, "ERRAND_VECTORS is not set"))
    func `the published headers have the published parameters`() throws {
        let file = try #require(TestEnvironment.vectors).appending(path: "content-disposition/parse-vectors.json")
        let vectors = try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
        #expect(vectors.count == 49 && vectors.count { $0.input.text == nil } == 1)
        for vector in vectors {
            let header = ContentDisposition(vector.header)
            #expect(header.type == vector.expected.type, "\(vector.name)")
            // With this option of the other library, only the undecoded parameters are shown.
            let isRaw = vector.options?["extended"] == false
            let names = Set(header.parameters.map(\.name)).union(vector.expected.parameters.keys)
            for name in names {
                let raw = header.parameters.first { $0.name == name }?.value
                // The names of undecoded parameters end with an asterisk.
                let value = isRaw || name.hasSuffix("*") ? raw : header[name]
                #expect(value == vector.expected.parameters[name], "\(vector.name): \(name)")
            }
        }
    }

    @Test(
        arguments: [
            (#"attachment; filename="../../etc/passwd""#, "https://h/x", "passwd"),
            ("attachment; filename=..", "https://h/a/photo%20one.jpg?x=y", "photo one.jpg"),
            ("attachment", "https://h/a%2F..%2Fb.txt", "b.txt"), ("", "https://h/a/", "a"),
            ("", "https://h/%ff.txt", "%ff.txt"),
            ("", "https://h/", nil), ("", "https://h", nil), ("", "https://h/%2e%2e", nil),
            ("", "https://h/.env", "_.env"),
            ("inline; filename*=UTF-8''%2Fetc%2Fcon", "https://h/x", "_con"),
        ] as [(String, String, String?)])
    func `a response suggests a safe file name`(header: String, url: String, name: String?) throws {
        let head = ResponseHead(
            status: 200, headers: header.isEmpty ? [:] : ["content-disposition": header],
            url: try #require(URL(string: url)))
        #expect(head.suggestedFileName == name)
        #expect(head.contentDisposition?.type == (header.isEmpty ? nil : ContentDisposition(header).type))
    }

    static let hostile = [
        ";", "\"", "\\", "=", "a=", "a=b;", "filename*=UTF-8''%41;", "%22", "'", "\"\\\"", "=\";", " ",
    ]

    @Test(arguments: TestEnvironment.sample(hostile + ProcessorTime.hostileUnits))
    func `a hostile header is parsed in linear time`(unit: String) async throws {
        for start in ["", "form-data;", "x;filename=\"", "x;filename*=UTF-8''"] {
            let growth = try await ProcessorTime.growth(ofRepeating: unit) { text in
                _ = ContentDisposition(start + text).safeFileName
            }
            #expect(growth < 48, "\(start)")
        }
    }

    @Test(arguments: TestEnvironment.sample(hostile)) func `a header of 1 MB is parsed`(unit: String) async throws {
        let text = String(repeating: unit, count: (1 << 20) / unit.utf8.count)
        for start in ["", "a;", "a;filename=\"", "a;filename="] {
            let header = try await SeparateThread.run { ContentDisposition(start + text) }
            #expect(header.parameters.count <= 2 && header.safeFileName?.utf8.count ?? 0 <= 255)
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func `random headers have unique parameters`(seed: UInt64) {
        var random = SplitMix(state: seed)
        let pieces = [
            ";", "=", "\"", "\\", " ", "\t", "filename", "filename*", "UTF-8''", "ISO-8859-1'x'", "%41", "%", "%ff",
            "a", "é",
            "\u{301}", "form-data", "\0", "\n", "/", "name", "%22",
        ]
        for _ in 0..<20 {
            let text = (0..<Int.random(in: 0...30, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let header = ContentDisposition(text)
            #expect(Set(header.parameters.map { Array($0.name.utf8) }).count == header.parameters.count)
            #expect(header.safeFileName?.contains("/") != true)
        }
    }
}
