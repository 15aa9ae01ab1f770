import Errand
import ErrandJSON
import Testing

/// The fast path reuses one decoder for the elements of an array, unless another reference to the decoder exists.
@Suite struct JSONTapeElementTests {
    @Test func `each element has its own coding path`() throws {
        try compare([[Path]].self, #"[[{},{"a":1}],[],[{},{},{}]]"#)
        try compare([String: [Path]].self, #"{"a":[{},{}]}"#)
    }

    @Test func `a reused decoder finds the members of each element`() throws {
        try compare([Pair].self, #"[{"a":1,"b":2},{"b":3,"a":4},{"b":5,"a":6}]"#)
        try compare([Pair].self, #"[{"a":1,"b":2},{"a":3,"b":4,"a":5},{"b":6,"é":7,"a":8},{"a":9,"b":10}]"#)
    }

    @Test(arguments: [RetainedObject.superDecoders, .values, .containers, .containerCopies])
    func `a retained decoder still decodes its element`(object: RetainedObject) throws {
        let text = Data(#"[{"a":1,"b":2},{"a":3,"b":4},{"a":5,"b":6}]"#.utf8)
        let decoder = JSONDecoder()
        decoder.userInfo[try #require(RetainedObject.key)] = object
        let expected = Elements(pairs: [Pair(a: 1, b: 2), Pair(a: 3, b: 4), Pair(a: 5, b: 6)])
        #expect(decoder.decodeFromTape(Elements.self, from: text) == expected)
        // In the other two cases, Foundation's decoders are invalid after `init(from:)` returns.
        guard object == .superDecoders || object == .containers else { return }
        #expect(try decoder.decode(Elements.self, from: text) == expected)
    }

    private func compare<Value: Decodable & Equatable>(_ type: Value.Type, _ text: String) throws {
        let result = try #require(JSONDecoder().decodeFromTape(type, from: Data(text.utf8)))
        #expect(try JSONDecoder().decode(type, from: Data(text.utf8)) == result)
    }
}

extension JSONTapeElementTests {
    /// The object that ``Elements`` retains for each element while it decodes the next elements.
    enum RetainedObject: Sendable {
        static let key = CodingUserInfoKey(rawValue: "retained object")
        case superDecoders, values, containers, containerCopies
    }

    struct Pair: Decodable, Equatable {
        enum CodingKeys: CodingKey { case a, b }
        let a: Int
        let b: Int
    }

    private struct Path: Decodable, Equatable {
        let paths: [[String]]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Pair.CodingKeys.self)
            paths = [decoder.codingPath, container.codingPath].map { $0.map(\.stringValue) }
        }
    }

    private struct RetainedDecoder: Decodable {
        let decoder: any Decoder
        init(from decoder: any Decoder) { self.decoder = decoder }
    }

    /// Decodes the elements after the decoders of all elements were created.
    private struct Elements: Decodable, Equatable {
        let pairs: [Pair]

        init(pairs: [Pair]) { self.pairs = pairs }

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            switch RetainedObject.key.flatMap({ decoder.userInfo[$0] }) as? RetainedObject {
            case .values:
                let retained = try (0..<3).map { _ in try list.decode(RetainedDecoder.self) }
                pairs = try retained.map { try Pair(from: $0.decoder) }
            case .containers:
                let retained = try (0..<3).map { _ in try list.nestedContainer(keyedBy: Pair.CodingKeys.self) }
                pairs = try retained.map { container in
                    Pair(
                        a: try container.decode(Int.self, forKey: .a), b: try container.decode(Int.self, forKey: .b))
                }
            case .containerCopies:
                let first = try list.decode(RetainedDecoder.self)
                var copy = list
                let others = [
                    try copy.decode(RetainedDecoder.self), try list.decode(RetainedDecoder.self),
                    try copy.decode(RetainedDecoder.self),
                ]
                pairs = try [first, others[1], others[2]].map { try Pair(from: $0.decoder) }
            default:
                let retained = try (0..<3).map { _ in try list.superDecoder() }
                pairs = try retained.map { try Pair(from: $0) }
            }
        }
    }
}
