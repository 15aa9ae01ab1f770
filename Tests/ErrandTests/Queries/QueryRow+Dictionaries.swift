import Errand

extension QueryRow {
    static let dictionaries: [QueryRow] = [
        QueryRow(
            "values of all kinds",
            values: [
                "page": 1, "q": "x y", "tags": ["a", "b"], "since": Date(timeIntervalSince1970: 0), "flag": true,
                "none": nil as Int?,
            ], is: "flag=true&page=1&q=x%20y&since=1970-01-01T00%3A00%3A00Z&tags=a&tags=b"),
        QueryRow("no values", values: [:], is: ""),
        QueryRow(
            "only nil", values: ["a": nil as String?, "b": [nil as Int?], "c": ["d": nil as Bool?]], is: ""),
        QueryRow(
            "optionals", values: ["a": Int?.some(1), "b": Int??.some(.none), "c": Bool??.some(.some(true))],
            is: "a=1&c=true"),
        QueryRow(
            "integers of all widths",
            values: [
                "a": Int8.min, "b": Int16.max, "c": Int32.min, "d": Int64.max, "e": UInt8.max, "f": UInt16.max,
                "g": UInt32.max, "h": UInt64.max, "i": UInt(0),
            ],
            is: "a=-128&b=32767&c=-2147483648&d=9223372036854775807&e=255&f=65535&g=4294967295"
                + "&h=18446744073709551615&i=0"),
        QueryRow(
            "Booleans and numbers", values: ["a": true, "b": 1, "c": 1.0, "d": false, "e": 0],
            is: "a=true&b=1&c=1&d=false&e=0"),
        QueryRow(
            "Booleans and numbers, numeric", values: ["a": true, "b": 1, "c": false, "d": 0],
            .init(bools: .numeric), is: "a=1&b=1&c=0&d=0"),
        QueryRow(
            "numbers in objects",
            values: [
                "a": NSNumber(value: true), "b": NSNumber(value: 1), "c": NSNumber(value: 1.5),
                "d": NSNumber(value: false),
                "e": NSNumber(value: Int8(0)), "f": NSNumber(value: UInt64.max), "g": NSNumber(value: 2.0),
            ], is: "a=true&b=1&c=1.5&d=false&e=0&f=18446744073709551615&g=2"),
        QueryRow(
            "a Boolean in an object, numeric", values: ["a": NSNumber(value: true)], .init(bools: .numeric),
            is: "a=1"),
        QueryRow(
            "a decimal in an object", values: ["a": NSDecimalNumber(string: "12345678901234567890.5")],
            is: "a=12345678901234567890.5"),
        QueryRow(
            "fractions", values: ["a": 0.1, "b": Float(0.1), "c": Decimal(string: "0.1")], is: "a=0.1&b=0.1&c=0.1"),
        QueryRow("a substring", values: ["a": "xyz".dropFirst()], is: "a=yz"),
        QueryRow(
            "Foundation's values",
            values: [
                "a": URL(string: "x:y"), "b": UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), "c": Data([1]),
            ], is: "a=x%3Ay&b=E621E1F8-C36C-495A-93FC-0C247A3E6E5F&c=AQ%3D%3D"),
        QueryRow("an Encodable enum", values: ["a": Order.newest, "b": Level.high], is: "a=newest&b=9"),
        QueryRow("an enum that is not Encodable", values: ["a": PlainOrder.oldest], is: "a=oldest"),
        QueryRow("an Encodable struct", values: ["a": Point(x: 1, y: nil)], is: "a%5Bx%5D=1"),
        QueryRow(
            "a mixed array", values: ["a": [1, "x", true, nil as Int?] as [any Sendable]], .init(arrays: .indices),
            is: "a%5B0%5D=1&a%5B1%5D=x&a%5B2%5D=true"),
        QueryRow(
            "typed arrays", values: ["a": [1, nil], "b": [0.5], "c": [Order.newest], "d": [Int]()],
            .init(arrays: .commaSeparated), is: "a=1&b=0.5&c=newest"),
        QueryRow("an array of structs", values: ["a": [Point(x: 1, y: 2)]], is: "a%5B0%5D%5Bx%5D=1&a%5B0%5D%5By%5D=2"),
        QueryRow(
            "nested dictionaries",
            values: ["a": ["c": 1, "b": ["d": true, "e": ""] as [String: any Sendable]] as [String: any Sendable]],
            is: "a%5Bb%5D%5Bd%5D=true&a%5Bb%5D%5Be%5D=&a%5Bc%5D=1"),
        QueryRow(
            "a typed nested dictionary", values: ["a": ["y": 1, "x": nil, "w": 3] as [String: Int?]],
            .init(nesting: .dots),
            is: "a.w=3&a.y=1"),
        QueryRow("empty arrays and dictionaries", values: ["a": [String](), "b": [String: Int](), "c": 1], is: "c=1"),
        QueryRow("a set", values: ["a": Set([3, 1, 2])], is: "a=1&a=2&a=3"),
        QueryRow(
            "64 levels, dotted", values: Nest.dictionary(levels: 64), .init(nesting: .dots),
            is: Array(repeating: "n", count: 64).joined(separator: ".") + "=1"),
    ]
}
