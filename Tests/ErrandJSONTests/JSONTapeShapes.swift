import Errand

/// A model with one property of each common type.
struct JSONShape: Codable, Equatable, Sendable {
    enum Kind: String, Codable, Sendable { case lake, city }

    var flag: Bool?
    var int: Int?
    var small: Int8?
    var large: UInt64?
    var real: Double?
    var single: Float?
    var text: String?
    var url: URL?
    var bytes: Data?
    var date: Date?
    var price: Decimal?
    var list: [Int]?
    var names: [String: String]?
    var numbered: [Int: Bool]?
    var kind: Kind?
    var open: OpenEnum<Kind>?
    var children: [JSONShape]?
    var more: [String: JSONShape]?
    var pair: Pair?

    enum CodingKeys: String, CodingKey {
        case flag, int, small, large, real, single, text, url, bytes, date, price, list, names, numbered, kind, open
        case children, more, pair
    }

    /// A type that is decoded manually, with nested containers.
    struct Pair: Codable, Equatable, Sendable {
        let first: Int
        let rest: [String]
        let hasExtra: Bool

        init(from decoder: any Decoder) throws {
            let outer = try decoder.container(keyedBy: Keys.self)
            first = try outer.nestedContainer(keyedBy: Keys.self, forKey: .first).decode(Int.self, forKey: .first)
            hasExtra = outer.contains(.extra)
            var list = try outer.nestedUnkeyedContainer(forKey: .rest)
            var rest: [String] = []
            while !list.isAtEnd {
                if try list.decodeNil() { continue }
                rest.append(try list.decode(String.self))
            }
            self.rest = rest
        }

        private enum Keys: String, CodingKey { case first, rest, extra }
    }
}

extension JSONShape {
    static let sample = #"""
        {"flag":true,"int":-42,"small":127,"large":18446744073709551615,"real":3.25e2,"single":0.1,"text":"a\u00e9\n\"é",
        "url":"https:\/\/a.example/?q=1","bytes":"aGFsbG8=","date":"2024-05-06T07:08:09.5Z","price":1.10,"list":[1,2,3],
        "names":{"a":"b","c":"d"},"numbered":{"1":true,"2":false},"kind":"lake","open":"sea",
        "children":[{"int":1,"text":null},{}],"more":{"x":{"real":-0.0},"y":{"list":[]}},
        "pair":{"first":{"first":7},"rest":["a",null,"b"],"extra":0},"unknown":[{"deep":[[]]},1e9,"\ud83d\ude80"]}
        """#
}
