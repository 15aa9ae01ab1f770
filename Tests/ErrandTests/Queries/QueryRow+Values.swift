import Errand

extension QueryRow {
    static let texts: [QueryRow] = [
        QueryRow("unreserved characters", One(a: "AZaz09-._~"), is: "a=AZaz09-._~"),
        QueryRow(
            "reserved characters", One(a: ":/?#[]@!$&'()*+,;="),
            is: "a=%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D"),
        QueryRow("other ASCII characters", One(a: "\"<>\\^`{|}"), is: "a=%22%3C%3E%5C%5E%60%7B%7C%7D"),
        QueryRow("a space", One(a: "x y"), is: "a=x%20y"),
        QueryRow("a plus sign", One(a: "1+1"), is: "a=1%2B1"),
        QueryRow("a percent sign", One(a: "100%"), is: "a=100%25"),
        QueryRow("an already encoded value", One(a: "%20"), is: "a=%2520"),
        QueryRow("control characters", One(a: "\0\r\n\t\u{7F}"), is: "a=%00%0D%0A%09%7F"),
        QueryRow("non-ASCII letters", One(a: "é東京"), is: "a=%C3%A9%E6%9D%B1%E4%BA%AC"),
        QueryRow("a decomposed letter", One(a: "e\u{301}"), is: "a=e%CC%81"),
        QueryRow(
            "emoji of several scalars", One(a: "👩‍🚀🇺🇳"),
            is: "a=%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80%F0%9F%87%BA%F0%9F%87%B3"),
        QueryRow("a name to escape", ["a b&c=d[e]": 1], is: "a%20b%26c%3Dd%5Be%5D=1"),
        QueryRow("an empty name", ["": 1], is: "=1"),
        QueryRow("an emoji as name", ["🐈": "🐈"], is: "%F0%9F%90%88=%F0%9F%90%88"),
    ]

    static let numbers: [QueryRow] = [
        QueryRow(
            "the extremes of Int64", One(a: [Int64.min, .max]), is: "a=-9223372036854775808&a=9223372036854775807"),
        QueryRow("the extreme of UInt64", One(a: UInt64.max), is: "a=18446744073709551615"),
        QueryRow("the extremes of Int8", One(a: [Int8.min, .max]), is: "a=-128&a=127"),
        QueryRow("a Double without fraction", One(a: 3.0), is: "a=3"),
        QueryRow("a Double in its shortest form", One(a: [0.1, -2.5, 1e15]), is: "a=0.1&a=-2.5&a=1000000000000000"),
        QueryRow("a large Double", One(a: 1e21), is: "a=1e%2B21"),
        QueryRow("a Float in its shortest form", One(a: Float(0.1)), is: "a=0.1"),
        QueryRow(
            "a Decimal", One(a: Decimal(string: "12345678901234567890.12345")), is: "a=12345678901234567890.12345"),
        QueryRow("true and false", One(a: [true, false]), is: "a=true&a=false"),
        QueryRow("true and false, numeric", One(a: [true, false]), .init(bools: .numeric), is: "a=1&a=0"),
        QueryRow("zero and one are not Booleans", One(a: [0, 1]), is: "a=0&a=1"),
    ]

    static let dates: [QueryRow] = [
        QueryRow(
            "a whole second", One(a: Date(timeIntervalSince1970: 1_714_979_289)), is: "a=2024-05-06T07%3A08%3A09Z"),
        QueryRow(
            "milliseconds", One(a: Date(timeIntervalSince1970: 1_714_979_289.123)),
            is: "a=2024-05-06T07%3A08%3A09.123Z"),
        QueryRow("tenths of a second", One(a: Date(timeIntervalSince1970: 0.5)), is: "a=1970-01-01T00%3A00%3A00.500Z"),
        QueryRow(
            "less than half a millisecond", One(a: Date(timeIntervalSince1970: 0.0004)),
            is: "a=1970-01-01T00%3A00%3A00Z"),
        QueryRow(
            "a fraction that rounds up", One(a: Date(timeIntervalSince1970: 59.9996)),
            is: "a=1970-01-01T00%3A01%3A00Z"),
        QueryRow("before 1970", One(a: Date(timeIntervalSince1970: -0.25)), is: "a=1969-12-31T23%3A59%3A59.750Z"),
        QueryRow("a leap day", One(a: Date(timeIntervalSince1970: 951_827_696)), is: "a=2000-02-29T12%3A34%3A56Z"),
        QueryRow(
            "1 March without a leap day", One(a: Date(timeIntervalSince1970: -2_203_891_200)),
            is: "a=1900-03-01T00%3A00%3A00Z"),
        QueryRow("the year 1", One(a: Date(timeIntervalSince1970: -62_135_596_800)), is: "a=0001-01-01T00%3A00%3A00Z"),
        QueryRow(
            "the first moment", One(a: Date(timeIntervalSince1970: -62_167_219_200)),
            is: "a=0000-01-01T00%3A00%3A00Z"),
        QueryRow(
            "the last second", One(a: Date(timeIntervalSince1970: 253_402_300_799)),
            is: "a=9999-12-31T23%3A59%3A59Z"),
        QueryRow(
            "seconds", One(a: Date(timeIntervalSince1970: 1_714_979_289)), .init(dates: .secondsSince1970),
            is: "a=1714979289"),
        QueryRow(
            "seconds with decimals", One(a: Date(timeIntervalSince1970: 1_714_979_289.123)),
            .init(dates: .secondsSince1970), is: "a=1714979289.123"),
        QueryRow(
            "seconds before 1970", One(a: Date(timeIntervalSince1970: -0.0004)), .init(dates: .secondsSince1970),
            is: "a=0"),
    ]

    static let foundation: [QueryRow] = [
        QueryRow(
            "a URL", One(a: URL(string: "https://example.com/p?q=1#f")),
            is: "a=https%3A%2F%2Fexample.com%2Fp%3Fq%3D1%23f"),
        QueryRow(
            "a UUID", One(a: UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f")),
            is: "a=E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
        QueryRow("data", One(a: Data([0xFB, 0xFF, 0x00, 0x01])), is: "a=%2B%2F8AAQ%3D%3D"),
    ]
}
