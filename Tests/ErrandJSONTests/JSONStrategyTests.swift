import ErrandJSON
import Foundation
import TestSupport
import Testing

/// Strategies of the decoder, and texts that earlier versions left to Foundation's decoder.
@Suite struct JSONStrategyTests {
    /// The keys of an object, as a type with converted keys sees them.
    struct Keys: Decodable, Equatable {
        let keys: [String]

        init(from decoder: any Decoder) throws {
            keys = try decoder.container(keyedBy: Asked.Key.self).allKeys.map(\.stringValue).sorted()
        }
    }

    /// An object with a dictionary. The keys of the dictionary are not converted.
    struct Totals: Decodable, Equatable {
        let totalCount: Int
        let byName: [String: Int]
        var previous: [String: [String: Int]]?
    }

    private static var snake: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    private static func decoder(_ dates: JSONDecoder.DateDecodingStrategy) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = dates
        return decoder
    }

    @Test(arguments: [
        "a", "total_count", "image_URL", "_private_key", "trailing_key__", "__a__b__", "_", "__", "already", "isCamel",
        "a1_b2", "line_1", "A_B", "ABC_DEF", #"total\u005fcount"#, #"\u0061_b"#, "Ünder", "",
    ])
    func `a key is converted on the fast path`(key: String) throws {
        let data = Data(#"{"\#(key)":1}"#.utf8)
        let expected = try Self.snake.decode(Keys.self, from: data)
        #expect(Self.snake.decodeFromTape(Keys.self, from: data) == expected)
    }

    @Test(arguments: ["2x_b", "a_1x", "x_a-b", "ü_b", "x1y_b"])
    func `Foundation's decoder converts keys with platform-dependent results`(key: String) throws {
        let data = Data(#"{"\#(key)":1}"#.utf8)
        #expect(Self.snake.decodeFromTape(Keys.self, from: data) == nil)
        let expected = try Self.snake.decode(Keys.self, from: data)
        #expect(try FastJSONDecoder(Self.snake).decode(Keys.self, from: data) == expected)
    }

    @Test func `random keys are converted as Foundation converts them`() throws {
        var generator = SplitMix(state: 5)
        let pieces = ["_", "_", "__", "a", "B", "word", "URL", "x9", "0"]
        let rounds = TestEnvironment.rounds(2_000, heavy: 50_000)
        var converted = 0
        for _ in 0..<rounds {
            let count = Int.random(in: 0...7, using: &generator)
            let key = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let data = Data(#"{"\#(key)":1,"other_key":{"\#(key)":2}}"#.utf8)
            guard let found = Self.snake.decodeFromTape(Keys.self, from: data) else { continue }
            converted += 1
            #expect(try found == Self.snake.decode(Keys.self, from: data), "\(key)")
        }
        // A letter after a digit is left to Foundation's decoder.
        #expect(converted > rounds / 2)
    }

    @Test func `the keys of a dictionary are not converted`() throws {
        let data = Data(
            #"{"total_count":3,"by_name":{"two_words":1,"tw\u006F_words":2,"_":3},"previous":{"a_b":{"c_d":1}}}"#.utf8)
        let expected = try Self.snake.decode(Totals.self, from: data)
        #expect(Self.snake.decodeFromTape(Totals.self, from: data) == expected)
        #expect(expected.byName["two_words"] == 1 && expected.previous == ["a_b": ["c_d": 1]])
    }

    @Test(arguments: [
        #"{"a":1,"a":"x"}"#, #"{"a":1,"a":null}"#, #"{"a":1,"\u0061":1.5}"#, #"{"a_b":1,"a_b":2}"#, #"{"a":1,"b":[]}"#,
        "[]",
        "null", #"{"é":1,"e\u0301":2}"#,
    ])
    func `every member of a dictionary is decoded`(text: String) {
        let data = Data(text.utf8)
        let expected = try? Self.snake.decode([String: Int].self, from: data)
        #expect(Self.snake.decodeFromTape([String: Int].self, from: data) == expected)
    }

    @Test func `the coding path of a dictionary member has no intValue`() throws {
        struct Numbered: Decodable, Equatable {
            let number: Int?
            init(from decoder: any Decoder) throws { number = decoder.codingPath.last?.intValue }
        }
        let data = Data(#"{"12":{}}"#.utf8)
        let expected = try Self.snake.decode([String: Numbered].self, from: data)
        #expect(Self.snake.decodeFromTape([String: Numbered].self, from: data) == expected)
    }

    @Test func `an explanation names the position of a converted key`() {
        struct Total: Decodable { let totalCount: Int }
        let (decoder, data) = (FastJSONDecoder(Self.snake), Data(#"{"total_count":"x"}"#.utf8))
        let error = #expect(throws: DecodingError.self) { try decoder.decode(Total.self, from: data) }
        let explanation = error.map { decoder.explanation(of: $0, decoding: Total.self, from: data) }
        #expect(explanation == "expected an Int at totalCount, found a string (byte 15)")
    }

    @Test func `the first of two keys with the same conversion is used`() throws {
        for text in [#"{"a_b":1,"aB":2}"#, #"{"aB":1,"a_b":2}"#, #"{"a_b":1,"\u0061_b":2}"#] {
            struct One: Decodable, Equatable { let aB: Int }
            let data = Data(text.utf8)
            #expect(Self.snake.decodeFromTape(One.self, from: data)?.aB == 1)
            #expect(try Self.snake.decode(One.self, from: data).aB == 1)
        }
    }

    @Test(arguments: [#""2024-05-06T07:08:09Z""#, #""1583-01-01T00:00:00Z""#, #""9999-12-31T23:59:59Z""#])
    func `a usual ISO 8601 date is decoded on the fast path`(text: String) throws {
        let decoder = Self.decoder(.iso8601)
        let date = try #require(decoder.decodeFromTape(Date.self, from: Data(text.utf8)))
        #expect(try date == decoder.decode(Date.self, from: Data(text.utf8)))
    }

    @Test(arguments: [
        #""2024-05-06T07:08:09+00:00""#, #""2024-02-30T07:08:09Z""#, #""2024-05-06T07:08:60Z""#,
        #""1500-02-29T00:00:00Z""#, #""2024-05-06T07:08:09.5Z""#, #""2024-05-06 07:08:09Z""#,
        #""2024-05-06t07:08:09z""#, "1", "null",
    ])
    func `another ISO 8601 date is left to Foundation's decoder`(text: String) {
        let (decoder, data) = (Self.decoder(.iso8601), Data(text.utf8))
        #expect(decoder.decodeFromTape(Date.self, from: data) == nil)
        let expected = try? decoder.decode(Date.self, from: data)
        #expect((try? FastJSONDecoder(decoder).decode(Date.self, from: data)) == expected)
    }

    @Test(arguments: ["0", "1.5", "-7e3", "1700000000123", "null", #""1""#])
    func `numbers of seconds and milliseconds are dates`(text: String) {
        for decoder in [Self.decoder(.secondsSince1970), Self.decoder(.millisecondsSince1970)] {
            let data = Data(text.utf8)
            let expected = try? decoder.decode(Date.self, from: data)
            #expect(decoder.decodeFromTape(Date.self, from: data) == expected)
        }
    }

    @Test func `keys with escape sequences are decoded on the fast path`() throws {
        let text = #"{"\u0061":1,"\"\\\/\b\f\n\r\t":2,"\u00e9\ud83d\ude80\u20AC":3,"a":4,"e\u0301":5,"ab\u0000é":6}"#
        let found = try #require(JSONDecoder().decodeFromTape([String: Int].self, from: Data(text.utf8)))
        #expect(try found == JSONDecoder().decode([String: Int].self, from: Data(text.utf8)))
        #expect(found["a"] == 1 && found["é🚀€"] == 3)
        #expect(JSONDecoder().decodeFromTape([String: Int].self, from: Data(#"{"\ud800":1}"#.utf8)) == nil)
    }

    @Test func `a text of more than 16 MB is decoded on the fast path`() async throws {
        let text = "[" + String(repeating: "123456789,", count: 1_800_000) + "1]"
        let decoded = try await SeparateThread.run { JSONDecoder().decodeFromTape([Int].self, from: Data(text.utf8)) }
        let numbers = try #require(decoded)
        #expect(numbers.count == 1_800_001 && numbers.dropLast().allSatisfy { $0 == 123_456_789 })
    }
}
