import Errand

extension QueryRow {
    static let structs: [QueryRow] = [
        QueryRow("members in order", Search(), is: "query=cats&page=2"),
        QueryRow(
            "optionals with a value", Search(tags: ["a", "b"], exact: false),
            is: "query=cats&page=2&tags=a&tags=b&exact=false"),
        QueryRow("an empty string", One(a: ""), is: "a="),
        QueryRow("an empty struct", Empty(), is: ""),
        QueryRow("nil", Search?.none, is: ""),
        QueryRow("a nested struct", One(a: Point(x: 1, y: 2)), is: "a%5Bx%5D=1&a%5By%5D=2"),
        QueryRow("a nested struct, dotted", One(a: Point(x: 1, y: 2)), .init(nesting: .dots), is: "a.x=1&a.y=2"),
        QueryRow("a nested nil", One(a: Point(x: 1, y: nil)), is: "a%5Bx%5D=1"),
        QueryRow("a nested empty struct", One(a: Empty()), is: ""),
        QueryRow("three levels", One(a: One(a: One(a: 1))), is: "a%5Ba%5D%5Ba%5D=1"),
        QueryRow("three levels, dotted", One(a: One(a: One(a: 1))), .init(nesting: .dots), is: "a.a.a=1"),
        QueryRow("a string enum", One(a: Order.mostViewed), is: "a=most%20viewed"),
        QueryRow("an integer enum", One(a: [Level.low, .high]), is: "a=1&a=9"),
        QueryRow(
            "an enum with associated values", One(a: Filter.range(low: 1, high: 2)),
            is: "a%5Brange%5D%5Blow%5D=1&a%5Brange%5D%5Bhigh%5D=2"),
        QueryRow("a case without associated values", One(a: Filter.all), is: ""),
        QueryRow("an optional of an optional", One(a: Int??.some(.some(3))), is: "a=3"),
        QueryRow("an optional of nil", One(a: Int??.some(.none)), is: ""),
        QueryRow("a dictionary sorted by key", ["c": 3, "a": 1, "b": 2, "e": 5, "d": 4], is: "a=1&b=2&c=3&d=4&e=5"),
        QueryRow("a dictionary with integer keys", [20: "t", 10: "s", 5: "f"], is: "10=s&20=t&5=f"),
        QueryRow(
            "a dictionary in a struct", One(a: ["y": 1, "x": 2, "z": 0]),
            is: "a%5Bx%5D=2&a%5By%5D=1&a%5Bz%5D=0"),
        QueryRow("a dictionary with nil", One(a: ["y": 1, "x": nil]), is: "a%5By%5D=1"),
        QueryRow("a set sorted by text", One(a: Set(["c", "a", "e", "b", "d"])), is: "a=a&a=b&a=c&a=d&a=e"),
        QueryRow(
            "64 levels, dotted", Nest(levels: 64), .init(nesting: .dots),
            is: Array(repeating: "n", count: 64).joined(separator: ".") + "=1"),
    ]

    /// Encodings that a custom `encode(to:)` may produce.
    static let containers: [QueryRow] = [
        QueryRow("a parent class", Custom { try Dog().encode(to: $0) }, is: "good=true&super%5Bname%5D=Rex"),
        QueryRow("a value that encodes nothing", One(a: Custom { _ in }), is: ""),
        QueryRow(
            "one container requested twice",
            Custom { encoder in
                var first = encoder.container(keyedBy: Custom.Key.self)
                try first.encode(1, forKey: .a)
                var second = encoder.container(keyedBy: Custom.Key.self)
                try second.encode(2, forKey: .b)
            }, is: "a=1&b=2"),
        QueryRow(
            "a key written twice",
            Custom { encoder in
                var members = encoder.container(keyedBy: Custom.Key.self)
                try members.encode(1, forKey: .a)
                try members.encode(2, forKey: .b)
                try members.encode(3, forKey: .a)
            }, is: "a=3&b=2"),
        QueryRow(
            "a key set back to nil",
            Custom { encoder in
                var members = encoder.container(keyedBy: Custom.Key.self)
                try members.encode(1, forKey: .a)
                try members.encodeNil(forKey: .a)
            }, is: ""),
        QueryRow(
            "a nested keyed container",
            Custom { encoder in
                var members = encoder.container(keyedBy: Custom.Key.self)
                var nested = members.nestedContainer(keyedBy: Custom.Key.self, forKey: .a)
                try members.encode(2, forKey: .b)
                try nested.encode(1, forKey: .c)
                try nested.encode(3, forKey: .b)
            }, is: "a%5Bc%5D=1&a%5Bb%5D=3&b=2"),
        QueryRow(
            "a nested list",
            Custom { encoder in
                var members = encoder.container(keyedBy: Custom.Key.self)
                var list = members.nestedUnkeyedContainer(forKey: .a)
                try list.encode("x")
                try list.encodeNil()
                try list.encode(UInt64.max)
                try members.encode(list.count, forKey: .c)
            }, is: "a=x&a=18446744073709551615&c=3"),
        QueryRow(
            "containers in a list",
            Custom { encoder in
                var members = encoder.container(keyedBy: Custom.Key.self)
                var list = members.nestedUnkeyedContainer(forKey: .a)
                var keyed = list.nestedContainer(keyedBy: Custom.Key.self)
                try keyed.encode(1, forKey: .b)
                var inner = list.nestedUnkeyedContainer()
                try inner.encode(2)
                try 3.encode(to: list.superEncoder())
                try 4.encode(to: members.superEncoder(forKey: .c))
            }, is: "a%5B0%5D%5Bb%5D=1&a%5B1%5D=2&a%5B2%5D=3&c=4"),
        QueryRow(
            "a caught error of a member",
            Custom { encoder in
                var members = encoder.container(keyedBy: Custom.Key.self)
                try? members.encode(Double.nan, forKey: .a)
                try members.encode(1, forKey: .b)
            }, is: "b=1"),
        QueryRow(
            "a value that encodes another",
            Custom { encoder in
                var value = encoder.singleValueContainer()
                try value.encode(Point(x: 1, y: 2))
            }, is: "x=1&y=2"),
        QueryRow(
            "a single nil",
            One(
                a: Custom { encoder in
                    var value = encoder.singleValueContainer()
                    try value.encodeNil()
                }), is: ""),
    ]
    /// 128-bit integers in each kind of container.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    static let wideIntegers: [QueryRow] = [
        QueryRow("a value of a dictionary", values: ["a": Int128(-1)], is: "a=-1"),
        QueryRow(
            "a keyed container",
            Custom { encoder in
                var members = encoder.container(keyedBy: Custom.Key.self)
                try members.encode(Int128.max, forKey: .a)
                try members.encode(UInt128.max, forKey: .b)
            }, is: "a=170141183460469231731687303715884105727&b=340282366920938463463374607431768211455"),
        QueryRow(
            "a list",
            One(
                a: Custom { encoder in
                    var list = encoder.unkeyedContainer()
                    try list.encode(Int128.min)
                    try list.encode(UInt128.max)
                }),
            is: "a=-170141183460469231731687303715884105728&a=340282366920938463463374607431768211455"),
        QueryRow(
            "a single Int128",
            One(
                a: Custom { encoder in
                    var value = encoder.singleValueContainer()
                    try value.encode(Int128.min)
                }), is: "a=-170141183460469231731687303715884105728"),
        QueryRow(
            "a single UInt128",
            One(
                a: Custom { encoder in
                    var value = encoder.singleValueContainer()
                    try value.encode(UInt128.max)
                }), is: "a=340282366920938463463374607431768211455"),
    ]
}
