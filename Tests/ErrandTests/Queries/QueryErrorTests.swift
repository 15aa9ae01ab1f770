import Errand
import Testing

@Suite struct QueryErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let reason: String
        let items: @Sendable () throws -> QueryItems
        var testDescription: String { reason }

        init(_ value: some Encodable & Sendable, reason: String) {
            self.reason = "query value" + reason
            items = { try QueryEncoding.standard.items(from: value) }
        }

        init(values: [String: any Sendable], reason: String) {
            self.reason = "query value" + reason
            items = { try QueryEncoding.standard.items(from: values) }
        }
    }

    private static let notKeyed =
        ": expected a value with keys, found an array or a single value, which has no name"
    private static let notFinite = ": expected a finite number"
    private static let tooDeep = ": nested deeper than 64 levels"
    private static let badDate = ": expected a date in the years 0 to 9999"
    private static let mixed = ": expected one kind of container in encode(to:), found two"
    private static let deepPath = " at " + Array(repeating: "n", count: 64).joined(separator: ".")

    static let values: [Row] = [
        Row([1, 2], reason: notKeyed),
        Row([Int](), reason: notKeyed),
        Row("hunter2", reason: notKeyed),
        Row(Date(timeIntervalSince1970: 0), reason: notKeyed),
        Row(Order.newest, reason: notKeyed),
        Row(Double.nan, reason: notFinite),
        Row(One(a: Double.infinity), reason: " at a" + notFinite),
        Row(One(a: [1, -Float.infinity]), reason: " at a[1]" + notFinite),
        Row(One(a: Decimal.nan), reason: " at a" + notFinite),
        Row(One(a: Date(timeIntervalSince1970: .nan)), reason: " at a" + badDate),
        Row(One(a: Date(timeIntervalSince1970: 253_402_300_800)), reason: " at a" + badDate),
        Row(One(a: Date(timeIntervalSince1970: -62_167_219_201)), reason: " at a" + badDate),
        Row(Nest(levels: 65), reason: deepPath + tooDeep),
        Row(values: Nest.dictionary(levels: 65), reason: deepPath + tooDeep),
        Row(values: ["a": Double.nan], reason: " at a" + notFinite),
        Row(values: ["a": [1, NSNumber(value: Double.infinity)] as [any Sendable]], reason: " at a[1]" + notFinite),
        Row(
            values: ["a": ["b": [Opaque()]]],
            reason: " at a.b[0]: unsupported type Opaque: make it Encodable"),
        Row(values: ["a": One(a: One(a: Double.nan))], reason: " at a.a.a" + notFinite),
    ]

    /// Incorrect uses of an encoder. Foundation's encoders trap on them.
    static let misuses: [Row] = [
        Row(
            One(
                a: Custom { encoder in
                    _ = encoder.container(keyedBy: Custom.Key.self)
                    _ = encoder.unkeyedContainer()
                }), reason: " at a" + mixed),
        Row(
            Custom { encoder in
                var members = encoder.container(keyedBy: Custom.Key.self)
                _ = members.nestedUnkeyedContainer(forKey: .a)
                var other = members.nestedContainer(keyedBy: Custom.Key.self, forKey: .a)
                try other.encode(1, forKey: .b)
            }, reason: " at a" + mixed),
        Row(
            One(
                a: Custom { encoder in
                    var value = encoder.singleValueContainer()
                    try value.encode(1)
                    try value.encode(2)
                }), reason: " at a: expected one value in the single-value container of encode(to:), found several"),
        Row(
            One(
                a: Custom { encoder in
                    var value = encoder.singleValueContainer()
                    try value.encode(1)
                    var list = encoder.unkeyedContainer()
                    try list.encode(2)
                }), reason: " at a" + mixed),
        Row(
            Custom { encoder in
                var members = encoder.container(keyedBy: Custom.Key.self)
                for _ in 0..<100_000 { members = members.nestedContainer(keyedBy: Custom.Key.self, forKey: .a) }
                try members.encode(1, forKey: .a)
            }, reason: " at " + Array(repeating: "a", count: 63).joined(separator: ".") + tooDeep),
    ]

    @Test(arguments: values + misuses)
    func `a value that cannot be encoded is an error with its path`(row: Row) throws {
        let error = try #require(throws: ServiceError.self) { try row.items() }
        #expect(error.code == .encoding)
        #expect(error.reason == row.reason)
        #expect(error.underlying is EncodingError)
    }

    @Test func `a value that encodes itself is an error`() throws {
        let error = try #require(throws: ServiceError.self) { try QueryEncoding.standard.items(from: Ouroboros()) }
        #expect(error.reason == "query value: nested deeper than 64 levels")
    }

    @Test func `an error and its cause do not show a value`() throws {
        let error = try #require(throws: ServiceError.self) {
            try QueryEncoding.standard.items(from: ["a": Opaque(), "b": "hunter2"])
        }
        #expect(!"\(error) \(String(describing: error.underlying))".contains("hunter2"))
    }
}

/// A value that encodes itself.
private struct Ouroboros: Encodable {
    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(self)
    }
}
