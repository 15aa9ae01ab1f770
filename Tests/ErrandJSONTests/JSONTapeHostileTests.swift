import Errand
import ErrandJSON
import ErrandSupport
import Testing

/// Models that look behind what they decode, and texts that are made for them.
@Suite(.serialized) struct JSONTapeHostileTests {
    struct Letters: Decodable, Equatable { var apiKey: String?, K: Int? }

    @Test(arguments: ["\u{212A}ey", "Key"])
    func `a letter that means the same as another is the same in a key`(end: String) throws {
        for filler in [0, 60] {
            let others = (0..<filler).map { "\"f\($0)\":0," }.joined()
            try same(Letters.self, "{\(others)\"api\(end)\":\"x\"}")
            try same(Letters.self, "{\(others)\"\u{212A}\":1,\"K\":2}")
            try same([String: Int].self, "{\(others)\"\u{212A}\":1,\"K\":2,\"K\":3}")
        }
    }

    @Test func `a type knows the key that it stands under`() throws {
        let json = #"{"list":[{"S001":{}},{"S002":{}}]}"#
        let value = try same([String: [[String: Named]]].self, json)
        #expect(value?["list"]?[1]["S002"]?.place == "list/Index 1/S002")
        #expect(JSONDecoder.errand.decodeFromTape([String: [[String: Named]]].self, from: Data(json.utf8)) != nil)
    }

    @Test(arguments: [#"[{"x":1,"x":2}]"#, "[1e-310]", "[1.5]", "[18446744073709551616]", "[[[[{}]]]]", "[]"])
    func `a list that skips what it can't read comes to its end`(json: String) throws {
        struct Skipping: Decodable, Equatable {
            var items: [Int] = []

            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                while !container.isAtEnd {
                    if let item = try? container.decode(Int.self) {
                        items.append(item)
                    } else {
                        _ = try container.decode(AnyValue.self)
                    }
                }
            }
        }
        try same(Skipping.self, json)
    }

    @Test func `what fits at the first try is not tried again`() throws {
        let deep = String(repeating: #"{"next":"#, count: 100) + #"{"price":1.5}"# + String(repeating: "}", count: 100)
        try same(Untagged.self, deep)
    }

    @Test(arguments: [
        #"{"a":1,"b":"x","c":null}"#, #"{"a":"1","b":[],"c":true}"#, #"{"a":1.0,"b":-0,"c":{}}"#,
        "{}",
    ])
    func `an error has the platform's case and path`(json: String) throws {
        _ = try JSONDecoder.errand.decode(Asked.self, from: Data(json.utf8))
        let platform = Asked.last.withLock { $0 }
        _ = JSONDecoder.errand.decodeFromTape(Asked.self, from: Data(json.utf8))
        #expect(Asked.last.withLock { $0 } == platform)
    }

    @Test(arguments: [
        #"{"name":"a","super":{"id":1}}"#, #"{"name":"a"}"#, #"{"id":7}"#, #"{"name":"a","super":null}"#, "[]", "null",
    ])
    func `a class is decoded with its parent`(json: String) throws { try same(Derived.self, json) }

    @Test func `a decoder that is kept goes on working`() throws {
        let data = Data(#"{"list":[1.0,2],"list":[]}"#.utf8)
        #expect(JSONDecoder.errand.decodeFromTape(Keeper.self, from: data) == nil)
        let keeper = try FastJSONDecoder(.errand).decode(Keeper.self, from: data)
        #expect(try [String: [Int]](from: keeper.decoder) == ["list": [1, 2]])
    }

    @Test func `a date that is null is none, whatever a strategy makes of it`() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { _ in .distantPast }
        for json in [#"{"d":null}"#, #"{"d":1}"#, "{}"] {
            let quick = try? FastJSONDecoder(decoder).decode([String: Date].self, from: Data(json.utf8))
            #expect(quick == (try? decoder.decode([String: Date].self, from: Data(json.utf8))))
        }
    }

    /// Compares both ways, and gives what the platform's decoder gives.
    @discardableResult
    private func same<Value: Decodable & Equatable>(_ type: Value.Type, _ json: String) throws -> Value? {
        let data = Data(json.utf8)
        let platform = try? JSONDecoder.errand.decode(type, from: data)
        let tape = JSONDecoder.errand.decodeFromTape(type, from: data)
        #expect(tape == nil || tape == platform, "\(json)")
        #expect((try? FastJSONDecoder(.errand).decode(type, from: data)) == platform, "\(json)")
        return platform
    }
}
