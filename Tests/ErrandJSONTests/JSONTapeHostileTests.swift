import Errand
import ErrandJSON
import ErrandSupport
import Testing

/// Models that inspect their decoder, and texts that are made for them.
@Suite(.serialized) struct JSONTapeHostileTests {
    struct Letters: Decodable, Equatable { var apiKey: String?, K: Int? }

    @Test(arguments: ["\u{212A}ey", "Key"])
    func `canonically equivalent characters are equal in keys`(end: String) throws {
        for filler in [0, 60] {
            let others = (0..<filler).map { "\"f\($0)\":0," }.joined()
            try same(Letters.self, "{\(others)\"api\(end)\":\"x\"}")
            try same(Letters.self, "{\(others)\"\u{212A}\":1,\"K\":2}")
            try same([String: Int].self, "{\(others)\"\u{212A}\":1,\"K\":2,\"K\":3}")
        }
    }

    /// Objects on both sides of the limits of a linear search have the same values.
    @Test(arguments: [1, 47, 48, 49, 63, 65, 200], [2, 80, 200])
    func `many keys and long keys have the values of Foundation's decoder`(count: Int, length: Int) throws {
        // The first 63 keys differ in their first character, so that no two have the same hash bit.
        let letters = Array("?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~")
        let end = String(repeating: "k", count: length)
        let keys = (0..<count).map { "\(letters[$0 % letters.count])\($0 / letters.count)\(end)" }
        // All of these have the same hash bit.
        let similar = (0..<count).map { "k\($0 + 100)\(end)" }
        for names in [
            keys, keys + keys.prefix(1), keys + keys.suffix(1), keys + ["\u{E9}", "e\u{301}"], similar,
            similar + similar.prefix(1),
        ] {
            let json = "{" + names.enumerated().map { #""\#($1)":\#($0)"# }.joined(separator: ",") + "}"
            let value = try #require(try same(MembersByKey.self, json))
            #expect(value.values.count == Set(names).count)
            #expect(JSONDecoder.errand.decodeFromTape(MembersByKey.self, from: Data(json.utf8)) == value)
        }
    }

    @Test func `a type can read its key from the coding path`() throws {
        let json = #"{"list":[{"S001":{}},{"S002":{}}]}"#
        let value = try same([String: [[String: Named]]].self, json)
        #expect(value?["list"]?[1]["S002"]?.index == "list/Index 1/S002")
        #expect(JSONDecoder.errand.decodeFromTape([String: [[String: Named]]].self, from: Data(json.utf8)) != nil)
    }

    @Test(arguments: [#"[{"x":1,"x":2}]"#, "[1e-310]", "[1.5]", "[18446744073709551616]", "[[[[{}]]]]", "[]"])
    func `a list that skips undecodable elements reaches its end`(json: String) throws {
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

    @Test func `a value that decodes at first is not decoded again`() throws {
        let deep = String(repeating: #"{"next":"#, count: 100) + #"{"price":1.5}"# + String(repeating: "}", count: 100)
        try same(Untagged.self, deep)
    }

    @Test(arguments: [
        #"{"a":1,"b":"x","c":null}"#, #"{"a":"1","b":[],"c":true}"#, #"{"a":1.0,"b":-0,"c":{}}"#,
        "{}",
    ])
    func `an error has the case and path of Foundation's error`(json: String) throws {
        _ = try JSONDecoder.errand.decode(Asked.self, from: Data(json.utf8))
        let platform = Asked.last.withLock { $0 }
        _ = JSONDecoder.errand.decodeFromTape(Asked.self, from: Data(json.utf8))
        #expect(Asked.last.withLock { $0 } == platform)
    }

    @Test(arguments: [
        #"{"name":"a","super":{"id":1}}"#, #"{"name":"a"}"#, #"{"id":7}"#, #"{"name":"a","super":null}"#, "[]", "null",
    ])
    func `a class is decoded with its superclass`(json: String) throws { try same(Derived.self, json) }

    @Test func `a stored decoder continues to work`() throws {
        let data = Data(#"{"list":[1.0,2],"list":[]}"#.utf8)
        #expect(JSONDecoder.errand.decodeFromTape(Keeper.self, from: data) == nil)
        let keeper = try FastJSONDecoder(.errand).decode(Keeper.self, from: data)
        #expect(try [String: [Int]](from: keeper.decoder) == ["list": [1, 2]])
    }

    @Test func `a null date decodes as with Foundation's decoder`() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { _ in .distantPast }
        for json in [#"{"d":null}"#, #"{"d":1}"#, "{}"] {
            let quick = try? FastJSONDecoder(decoder).decode([String: Date].self, from: Data(json.utf8))
            #expect(quick == (try? decoder.decode([String: Date].self, from: Data(json.utf8))))
        }
    }

    /// Compares the fast path with Foundation's decoder, and returns the value of the latter.
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
