import Errand
import ErrandJSON
import Testing

/// The fast path decodes the same values as Foundation's decoder, or leaves the text to it.
@Suite struct JSONTapeTests {
    static let decoder = JSONDecoder.errand

    @Test func `a model with properties of all types uses the fast path`() throws {
        let data = Data(JSONShape.sample.utf8)
        let quick = try #require(Self.decoder.decodeFromTape(JSONShape.self, from: data))
        #expect(try Self.decoder.decode(JSONShape.self, from: data) == quick)
        #expect(quick.text == "aé\n\"é" && quick.more?.count == 2 && quick.pair?.rest == ["a", "b"])
        #expect(quick.large == .max && quick.price == Decimal(string: "1.1"))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func `128-bit integers use the fast path`() {
        #expect(quick([Int128].self, "[1,-7]") && quick([UInt128].self, "[1]"))
    }

    @Test func `common types use the fast path`() {
        #expect(quick([Int: Bool].self, #"{"1":true}"#))
        #expect(
            quick([Double].self, "[0,0.0,-0.0,1,1.5,1e3,123456789012345678]") && quick([Float].self, "[0,0.1,16777217]")
        )
        #expect(quick([UInt8].self, "[0,255]") && quick([Int].self, "[-1,1.0,1e2,9223372036854775807]"))
        #expect(
            quick([String?].self, #"["a",null,"é\n"]"#) && quick(Data.self, #""aGk=""#) && quick(URL.self, #""/a""#))
        #expect(quick(UUID.self, #""00000000-0000-0000-0000-000000000000""#) && quick(Decimal.self, "1.10"))
        #expect(quick([JSONShape.Kind: Int].self, #"["lake",1]"#) && quick(Int?.self, "null"))
        #expect(
            quick([String: Int].self, #"{"é":1,"e\#u{301}f":2}"#)
                && quick(Derived.self, #"{"name":"a","super":{"id":1}}"#))
        #expect(quick(AnyValue.self, #"{"a":[1,1.5,"x",null,true,{}]}"#) == false, "AnyValue detects types by errors")
    }

    @Test(arguments: [
        "0", "7", "-7", "-0", "1.0", "1e2", "1E+2", "1e-2", "0.1", "00", "01", "-", "+1", ".5", "5.", "1e", "1e+",
        "127",
        "128", "255", "256", "65536", "4294967296", "9007199254740993", "999999999999999", "1000000000000000",
        "999999999999999999", "1000000000000000000", "9223372036854775807", "9223372036854775808",
        "18446744073709551615", "18446744073709551616", "-9223372036854775808", "1e308", "1e309", "-1e309", "1e-320",
        "1e-400", "0.30000000000000004", "2.2250738585072011e-308", "123456789.123456789", "3.4028236e38", "16777217",
        "0e0", "0.0", "-0.0", "0e1", "0E5", "-0e1", "0e+1", "0e-1", "0.0e10", "-0.00E-7", "0e400", "0e", "0e+", "00e1",
        "0.e1", "10e1", "0.10e1", "1.7976931348623157e308", "null", "true", #""1""#, "[1]", "{}", "NaN", "Infinity",
        "0x10",
    ])
    func `numbers of each type decode as with Foundation's decoder`(text: String) {
        compare(Int.self, text)
        compare(Int8.self, text)
        compare(Int16.self, text)
        compare(Int32.self, text)
        compare(Int64.self, text)
        compare(UInt.self, text)
        compare(UInt8.self, text)
        compare(UInt16.self, text)
        compare(UInt32.self, text)
        compare(UInt64.self, text)
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { compare(Int128.self, text) }
        compare(Double.self, text)
        compare(Float.self, text)
        compare(Decimal.self, text)
        compare(Bool.self, text)
        compare(Int?.self, text)
    }

    @Test(arguments: [
        #""""#, #""a""#, #""é""#, "\"\u{1}\"", "\"a\nb\"", #""\u0041\u00e9\ud83d\ude80""#, #""\ud83d""#, #""\ude80""#,
        #""\ud83d\u0041""#, #""\u00""#, #""\x""#, #""\u12G4""#, #""\/\b\f\n\r\t\"\\""#, #""a"#, #""a\"#, #""\"#,
        #""\u0000""#,
        "\u{FEFF}\"a\"", "\"a\" ", " \t\r\n\"a\"\n", "\"a\"b", "\"a\"\u{0}", "'a'", "\u{2028}\"a\"", "\"\u{2028}\"", "",
        " ", "nul", "nulll", "tru", "/* */\"a\"", "\"https://a.example/ä b\"", "\"aGFsbG8\"", "\"aGFsbG8=\"",
        "\"2024-05-06T07:08:09Z\"", "\"2024\"", "7", "null",
    ])
    func `strings and types made of strings decode as with Foundation's decoder`(text: String) {
        compare(String.self, text)
        compare(String?.self, text)
        compare(URL.self, text)
        compare(Data.self, text)
        compare(Date.self, text)
        compare([String].self, "[\(text)]")
        compare([String: String].self, "{\"k\":\(text)}")
        compare([String: Int].self, "{\(text):1}")
    }

    @Test(arguments: [
        #"{"a":1,"a":2}"#, #"{"a":1,"b":2,"a":3}"#, #"{"é":1,"e\#u{301}":2}"#, #"{"\u0061":1}"#, #"{"a":1,}"#,
        #"{"a" 1}"#,
        #"{"a":}"#, #"{"a"}"#, #"{a:1}"#, "{,}", "{", "}", "[", "]", "[1,]", "[,1]", "[1 2]", "[1]]", "[]", "{}",
        #"{"":1}"#, #"{"":1,"":2}"#, #"{"b":1}"#, #"{"a":null}"#, #"{"a":[1,2,3]}"#, "[[1],[2]]", "[null]",
        #"{"1":1,"2":2}"#,
        #"{"a":"1"}"#, String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
        String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
        "{" + (0..<100).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}",
        "{" + (0..<100).map { "\"k\($0 % 99)\":\($0)" }.joined(separator: ",") + "}", differentBits,
        "{" + (0..<48).map { "\"k\($0 % 47)\":\($0)" }.joined(separator: ",") + "}",
    ])
    func `arrays and objects decode as with Foundation's decoder`(text: String) {
        compare([Int].self, text)
        compare([Int?].self, text)
        compare([[Int]].self, text)
        compare([String: Int].self, text)
        compare([String: Int?].self, text)
        compare([String: [Int]].self, text)
        compare([Int: Int].self, text)
        compare(JSONShape.self, text)
    }

    /// An object with 57 members, which the parser recognizes as different without comparing their keys.
    private static let differentBits: String = {
        let keys = (UInt8(ascii: "#")..<UInt8(ascii: "\\")).map { "k" + String(UnicodeScalar($0)) }
        return "{" + keys.enumerated().map { #""\#($1)":\#($0)"# }.joined(separator: ",") + "}"
    }()

    @Test func `invalid UTF-8 is left to Foundation's decoder`() {
        for bytes: [UInt8] in [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0, 0x37], [0x37, 0],
        ] {
            #expect(Self.decoder.decodeFromTape(String.self, from: Data(bytes)) == nil)
        }
    }

    @Test func `a decoder with custom strategies does not use the fast path`() throws {
        let keys = JSONDecoder()
        keys.keyDecodingStrategy = .custom { $0[$0.count - 1] }
        let data = JSONDecoder()
        data.dataDecodingStrategy = .deferredToData
        let floats = JSONDecoder()
        floats.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        for decoder in [keys, data, floats, Shouting()] {
            #expect(decoder.decodeFromTape([Int].self, from: Data("[1]".utf8)) == nil)
        }
        #expect(try FastJSONDecoder(Shouting()).decode(String.self, from: Data(#""a""#.utf8)) == "A")
        #expect(
            try FastJSONDecoder().decode(Date.self, from: Data("7".utf8)) == Date(timeIntervalSinceReferenceDate: 7))
    }

    @Test func `a failure is Foundation's error with its coding path`() {
        let data = Data(#"{"children":[{"int":1},{"int":"x"}]}"#.utf8)
        let error = #expect(throws: DecodingError.self) {
            try FastJSONDecoder(Self.decoder).decode(JSONShape.self, from: data)
        }
        guard case .typeMismatch(_, let context) = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["children", "Index 1", "int"])
        #expect(context.codingPath.first is JSONShape.CodingKeys)
    }

    private final class Shouting: JSONDecoder, @unchecked Sendable {
        override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
            guard let text = try super.decode(type, from: data) as? String, let loud = text.uppercased() as? T else {
                return try super.decode(type, from: data)
            }
            return loud
        }
    }

    private func quick<Value: Decodable & Equatable>(_ type: Value.Type, _ text: String) -> Bool {
        compare(type, text)
        return Self.decoder.decodeFromTape(type, from: Data(text.utf8)) != nil
    }

    private func compare<Value: Decodable & Equatable>(_ type: Value.Type, _ text: String) {
        let data = Data(text.utf8)
        guard let quick = Self.decoder.decodeFromTape(type, from: data) else { return }
        // Foundation rejects some zeros that have an exponent.
        let zero = text.first == "-" ? "-0" : "0"
        let isZero = text.wholeMatch(of: /-?0(\.0+)?[eE][+-]?[0-9]+/) != nil
        let platform = try? Self.decoder.decode(type, from: isZero ? Data(zero.utf8) : data)
        #expect(platform == .some(quick), "\(type) \(text)")
        #expect((platform as? Double)?.bitPattern == (quick as? Double)?.bitPattern, "\(text)")
    }
}
