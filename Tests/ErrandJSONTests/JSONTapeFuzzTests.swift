import Errand
import ErrandJSON
import TestSupport
import Testing

/// Mutated texts, the same in every run. The fast path must decode them as Foundation's decoder does.
@Suite struct JSONTapeFuzzTests {
    static let seeds: Range<UInt64> = 0..<8
    static let pieces = [
        "", "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "0", "-", ".", "e9", "1e400", "\\u", "\\ud800",
        "é",
        "e\u{301}", "\u{0}", "\n", " ", #""int":1,"#, #""int":2,"#, #"{"int":3}"#, "99999999999999999999", "\u{FEFF}",
        "//",
    ]

    @Test(arguments: seeds)
    func `a mutated text never decodes to another value`(seed: UInt64) {
        var generator = SplitMix(state: seed)
        let sample = Array(JSONShape.sample.utf8)
        var quick = 0
        for _ in 0..<TestEnvironment.rounds(400, heavy: 20_000) {
            var text = sample
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let start = Int.random(in: 0...text.count, using: &generator)
                let end = min(text.count, start + Int.random(in: 0...6, using: &generator))
                text.replaceSubrange(start..<end, with: (Self.pieces.randomElement(using: &generator) ?? "").utf8)
            }
            let data = Data(text)
            guard let value = JSONDecoder.errand.decodeFromTape(JSONShape.self, from: data) else { continue }
            quick += 1
            #expect(
                (try? JSONDecoder.errand.decode(JSONShape.self, from: JSONText(data).data)) == value,
                "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(quick > 10)
    }

    @Test(arguments: seeds)
    func `types that try several forms decode as with Foundation's decoder`(seed: UInt64) {
        var generator = SplitMix(state: seed &+ 99)
        let sample = Array(JSONShape.sample.utf8)
        for _ in 0..<TestEnvironment.rounds(100, heavy: 2_000) {
            var text = sample
            let start = Int.random(in: 0...text.count, using: &generator)
            let end = min(text.count, start + Int.random(in: 0...6, using: &generator))
            text.replaceSubrange(start..<end, with: (Self.pieces.randomElement(using: &generator) ?? "").utf8)
            let data = Data(text)
            compare(AnyValue.self, data)
            compare(LossyArray<AnyValue>.self, data)
            compare([String: Untagged].self, data)
            compare(Derived.self, data)
        }
    }

    private func compare<Value: Decodable & Equatable>(_ type: Value.Type, _ data: Data) {
        let quick = try? FastJSONDecoder(.errand).decode(type, from: data)
        // Foundation's decoder also accepts a trailing comma, and rejects a zero with an exponent.
        let text = JSONText(data)
        let platform = text.trailingComma == nil ? try? JSONDecoder.errand.decode(type, from: text.data) : nil
        #expect(quick == platform, "\(type) \(String(decoding: data, as: UTF8.self))")
    }
}
