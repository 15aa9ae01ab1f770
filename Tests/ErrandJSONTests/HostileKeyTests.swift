import Errand
import ErrandJSON
import ErrandSupport
import TestSupport
import Testing

/// JSON with long runs of combining marks, which Swift's `String` compares in quadratic time if they are out of order.
@Suite(.serialized, .timeLimit(.minutes(2))) struct HostileKeyTests {
    struct Model: Decodable, Equatable { var x: Int?, y: String? }
    struct Accented: Decodable, Equatable { var é: Int? }
    enum Kind: String, Decodable { case a, b, c }
    struct Kinds: Decodable { var kind: Kind? }
    struct Tags: Decodable { var tags: Set<String>? }
    struct Texts: Decodable { var tags: [String]? }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// Creates JSON of about the same size from a run of marks.
        let json: @Sendable (String) -> String
        let decode: @Sendable (Data) throws -> Void
        var encoding = String.Encoding.utf8
        /// Whether the type hashes or compares the marks, so that they are rejected.
        var isRefused = false
        var testDescription: String { name }

        init<Value: Decodable & SendableMetatype>(
            _ name: String, _ type: Value.Type, refused: Bool = false, encoding: String.Encoding = .utf8,
            decoder: @escaping @Sendable () -> JSONDecoder = { .errand }, _ json: @escaping @Sendable (String) -> String
        ) {
            self.name = name
            self.json = json
            self.encoding = encoding
            isRefused = refused
            decode = { _ = try FastJSONDecoder(decoder()).decode(type, from: $0) }
        }

        func data(_ marks: String) throws -> Data { try #require(json(marks).data(using: encoding)) }
    }

    @Sendable static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { "\\u" + String($0.value + 0x10000, radix: 16).dropFirst() }.joined()
    }

    static let others = (0..<60).map { #""k\#($0)":0"# }.joined(separator: ",")

    @Sendable static func snake() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    static let rows: [Row] = [
        Row("an unknown key of a model", Model.self) { #"{"a\#($0)":1,"x":2}"# },
        Row("an unknown key before a repeated one", Model.self) { #"{"a\#($0)":1,"x":2,"x":3}"# },
        Row("a key next to a known key that is not ASCII", Accented.self) { #"{"é\#($0)":1,"é":2}"# },
        Row("two keys that differ at the end", Model.self) { #"{"a\#($0)\#u{300}":1,"a\#($0)\#u{301}":2}"# },
        Row("a key among many", Model.self) { #"{\#(others),"a\#($0)":1}"# },
        Row("a key of a dictionary", [String: Int].self, refused: true) { #"{"a\#($0)":1}"# },
        Row("a key of a dictionary in a list", [[String: Int]].self, refused: true) { #"[{},{"a\#($0)":1}]"# },
        Row("a key in a value of another type", Model.self, refused: true) { #"{"x":{"a\#($0)":1}}"# },
        Row("an escaped key", [String: Int].self, refused: true) { #"{"a\#(escaped($0))":1}"# },
        Row("a key with an escape before", Model.self) { #"{"\\\\\u0061\#($0)":1}"# },
        Row("a key with a strategy", Model.self, decoder: snake) { #"{"a\#($0)":1}"# },
        Row("a key that a strategy converts", Model.self, refused: true, decoder: snake) { #"{"a_b\#($0)":1}"# },
        Row("a key in UTF-16", [String: Int].self, refused: true, encoding: .utf16LittleEndian) { #"{"a\#($0)":1}"# },
        Row("a key in UTF-16 with a mark", Model.self, refused: true, encoding: .utf16) { #"{"a\#($0)":1}"# },
        Row("a key in UTF-32", Model.self, refused: true, encoding: .utf32BigEndian) { #"{"a\#($0)":1}"# },
        Row("a string", Model.self) { #"{"y":"a\#($0)"}"# },
        Row("an escaped string", Model.self) { #"{"y":"a\#(escaped($0))"}"# },
        Row("a list of strings", Texts.self) { #"{"tags":["a\#($0)"]}"# },
        Row("the raw value of an enumeration", Kinds.self, refused: true) { #"{"kind":"a\#($0)"}"# },
        Row("an escaped raw value", Kinds.self, refused: true) { #"{"kind":"a\#(escaped($0))"}"# },
        Row("an element of a set", Tags.self, refused: true) { #"{"tags":["b","a\#($0)"]}"# },
        Row("a URL", [URL].self, refused: true) { #"["http://a/\#($0)"]"# },
        Row("keys with short runs", [String: Int].self) { marks in
            let short = String(decoding: marks.utf8.prefix(400), as: UTF8.self)
            return "{" + (0..<marks.utf8.count / 400).map { #""\#($0)\#(short)":1"# }.joined(separator: ",") + "}"
        },
        Row("keys with marks in order", [String: Int].self) { marks in
            #"{"a\#(HostileText.marks(marks.utf8.count / 2, ["\u{301}"]))":1}"#
        },
    ]

    @Test(.serialized, arguments: rows) func `hostile keys decode in linear time`(row: Row) async throws {
        let sizes = (small: 10_000, large: 160_000)
        let (small, large) = (
            try row.data(HostileText.marks(sizes.small / 2)), try row.data(HostileText.marks(sizes.large / 2))
        )
        // The ratio is 16 if the time is linear, and 256 if it is quadratic.
        let growth = try await ProcessorTime.growth(limit: 32) {
            _ = try? row.decode(small)
        } long: {
            _ = try? row.decode(large)
        }
        #expect(growth <= 32)
    }

    @Test(arguments: rows) func `only strings that are hashed or compared are rejected`(row: Row) throws {
        let data = try row.data(HostileText.marks(5_000))
        guard row.isRefused else { return try row.decode(data) }
        let error = try #require(throws: DecodingError.self) { try row.decode(data) }
        #expect(error.reason.contains("combining marks in a row"), "\(error.reason)")
        // A few marks out of order are common.
        _ = try? row.decode(try row.data(HostileText.marks(100)))
    }

    @Test(arguments: [0, 1, 2, 30, 31, 255, 256, 257, 1_000])
    func `keys are the same as with Foundation's decoder`(count: Int) throws {
        for marks in [
            HostileText.marks(count), HostileText.marks(count, ["\u{301}"]),
            HostileText.marks(count, ["\u{316}", "\u{301}"]),
        ] {
            for json in [#"{"a\#(marks)":1,"x":2}"#, #"{"x":1,"é\#(marks)":2,"é":3}"#, #"{"y":"\#(marks)"}"#] {
                let data = Data(json.utf8)
                let expected = try JSONDecoder.errand.decode(Model.self, from: data)
                #expect(try FastJSONDecoder(.errand).decode(Model.self, from: data) == expected)
                let accented = try JSONDecoder.errand.decode(Accented.self, from: data)
                #expect(try FastJSONDecoder(.errand).decode(Accented.self, from: data) == accented)
                guard count <= 256, json.contains(":1") else { continue }
                let keys = try JSONDecoder.errand.decode([String: Int].self, from: data)
                #expect(try FastJSONDecoder(.errand).decode([String: Int].self, from: data) == keys)
            }
        }
    }

    /// Decoding stops before the end of the list. A model that skips elements that it cannot decode must not loop
    /// forever.
    @Test func `a model that skips every failure ends at a rejection`() {
        struct Skipping: Decodable {
            struct Nothing: Decodable { init(from decoder: any Decoder) {} }
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                while !list.isAtEnd {
                    if (try? list.decode([String: Int].self)) == nil { _ = try? list.decode(Nothing.self) }
                }
            }
        }
        let data = Data(#"[{"a\#(HostileText.marks(5_000))":1},{"b":2}]"#.utf8)
        #expect(throws: DecodingError.self) { try FastJSONDecoder(.errand).decode(Skipping.self, from: data) }
    }
}
