import Errand
import ErrandJSON
import ErrandSupport
import Testing

/// Defects of Foundation's decoder are corrected, regardless of which decoder parses the text.
@Suite struct JSONTextTests {
    struct Decoder: Sendable, CustomTestStringConvertible {
        let name: String
        let make: @Sendable () -> JSONDecoder
        var testDescription: String { name }

        /// The fast path parses the text for the first decoder, and Foundation for the second one.
        static let all = [
            Decoder(name: "fast", make: { .errand }),
            Decoder(name: "with a strategy") {
                let decoder = JSONDecoder.errand
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                return decoder
            },
        ]
    }

    @Test(
        arguments: Decoder.all,
        ["0e1", "0E5", "0e+1", "0e-1", "0e0", "0.0e10", "0.00E-7", "0e400", "-0e1", "-0E5", "-0.0e10", "-0e0"])
    func `a zero with an exponent is zero in each type`(decoder: Decoder, text: String) throws {
        func decode<Value: Decodable>(_ type: Value.Type) throws -> [Value] {
            try FastJSONDecoder(decoder.make()).decode([Value].self, from: Data("[\(text),\(text) ]".utf8))
        }
        let sign: FloatingPointSign = text.hasPrefix("-") ? .minus : .plus
        #expect(try decode(Double.self) == [0, 0] && decode(Double.self).allSatisfy { $0.sign == sign })
        #expect(try decode(Float.self) == [0, 0] && decode(Float.self).allSatisfy { $0.sign == sign })
        #expect(try decode(Decimal.self) == [0, 0])
        #expect(try decode(Int.self) == [0, 0] && decode(UInt8.self) == [0, 0])
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            #expect(try decode(Int128.self) == [0, 0])
        }
        #expect(try decode(Double?.self) == [0, 0] && decode(Int64.self) == [0, 0] && decode(UInt64.self) == [0, 0])
    }

    @Test(
        arguments: Decoder.all,
        ["0e", "0e+", "00e1", "0.e1", ".0e1", "0e1e1", "0e1.0", "e1", "+0e1", "0 e1", "\"0e1\""])
    func `a malformed zero is an error`(decoder: Decoder, text: String) {
        let data = Data("[\(text)]".utf8)
        #expect(throws: DecodingError.self) { try FastJSONDecoder(decoder.make()).decode([Double].self, from: data) }
    }

    @Test(arguments: Decoder.all) func `an exponent in a string is unchanged`(decoder: Decoder) throws {
        let data = Data(#"{"0e1":["0e1","\"0e1,]","a,}"],"n":[0e1]}"#.utf8)
        struct Value: Decodable { let n: [Double] }
        #expect(try FastJSONDecoder(decoder.make()).decode(Value.self, from: data).n == [0])
        let texts = try FastJSONDecoder(decoder.make()).decode([String: [JSONTextTests.Text]].self, from: data)
        #expect(texts["0e1"]?.map(\.text) == ["0e1", "\"0e1,]", "a,}"])
    }

    struct Text: Decodable {
        let text: String?
        init(from decoder: any Swift.Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
    }

    static let commas = [
        "[1,]", "[1 , ]", "[1,\n]", "[[1],]", "[[1,]]", #"{"a":1,}"#, "{\"a\":1 ,\t}", #"[{"a":1},]"#, #"{"a":[1,]}"#,
        #"{"a":"]",}"#, #"{"a":"\\",}"#, #"{"\u0061":1,}"#, "\u{FEFF}[1,]",
    ]

    @Test(arguments: Decoder.all, commas)
    func `a trailing comma is rejected unless JSON5 is allowed`(decoder: Decoder, text: String) throws {
        let data = Data(text.utf8)
        let error = try #require(throws: DecodingError.self) {
            try FastJSONDecoder(decoder.make()).decode(AnyJSON.self, from: data)
        }
        #expect(error.reason.contains("trailing comma at byte"), "\(error.reason)")
        let lenient = decoder.make()
        lenient.allowsJSON5 = true
        _ = try FastJSONDecoder(lenient).decode(AnyJSON.self, from: data)
    }

    @Test(arguments: ["[,]", "{,}", "[1,,]", #"{"a":1,,}"#, "[,1]"])
    func `a comma without an element is Foundation's error`(text: String) throws {
        for decoder in Decoder.all {
            let error = try #require(throws: DecodingError.self) {
                try FastJSONDecoder(decoder.make()).decode(AnyJSON.self, from: Data(text.utf8))
            }
            #expect(error.isNoJSON)
        }
    }

    @Test func `a comma in an HTML page is not a JSON error`() throws {
        let page = "<html><script>f({a:1,})</script></html>"
        let error = try #require(throws: ServiceError.self) {
            let _: [Int] = try BodyParser().parse(Data(page.utf8), contentType: "text/html")
        }
        #expect(!error.reason.contains("comma"))
    }

    /// Any JSON value, which is not stored.
    struct AnyJSON: Decodable { init(from decoder: any Swift.Decoder) {} }
}
