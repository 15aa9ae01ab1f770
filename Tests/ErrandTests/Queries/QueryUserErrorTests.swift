import Errand
import Testing

/// Errors that a custom `encode(to:)` throws.
@Suite struct QueryUserErrorTests {
    struct Refusal: Error, Equatable { let secret = "hunter2" }

    private static let refusing = Custom { _ in throw Refusal() }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let location: String
        let items: @Sendable () throws -> QueryItems
    }

    static let rows: [Row] = [
        Row(testDescription: "at the top", location: "") { try QueryEncoding.standard.items(from: refusing) },
        Row(testDescription: "in a member", location: " at a") {
            try QueryEncoding.standard.items(from: One(a: refusing))
        },
        Row(testDescription: "in an element of a member", location: " at a.a[1]") {
            try QueryEncoding.standard.items(from: One(a: One(a: [Custom { _ in }, refusing])))
        },
        Row(testDescription: "in a dictionary", location: " at x[0]") {
            try QueryEncoding.standard.items(from: ["w": 1, "x": [refusing]] as [String: any Sendable])
        },
        Row(testDescription: "in a struct in a dictionary", location: " at x.y.a") {
            try QueryEncoding.standard.items(from: ["x": ["y": One(a: refusing)]] as [String: any Sendable])
        },
        Row(testDescription: "after a caught error", location: " at a") {
            try QueryEncoding.standard.items(
                from: One(
                    a: Custom { encoder in
                        var members = encoder.container(keyedBy: Custom.Key.self)
                        try? members.encode(refusing, forKey: .a)
                        try members.encode(One(a: 1), forKey: .b)
                        throw Refusal()
                    }))
        },
    ]

    @Test(arguments: rows)
    func `the error is the cause, and its key path is named`(row: Row) throws {
        let error = try #require(throws: ServiceError.self) { try row.items() }
        #expect(error.code == .encoding)
        #expect(error.reason == "query value\(row.location): encode(to:) threw an error")
        #expect(error.underlying as? Refusal == Refusal())
    }

    @Test func `a custom encode method can catch the error of a member`() throws {
        let value = Custom { encoder in
            var members = encoder.container(keyedBy: Custom.Key.self)
            do { try members.encode(Self.refusing, forKey: .a) } catch is Refusal {
                try members.encode("caught", forKey: .b)
            }
        }
        #expect(try QueryEncoding.standard.items(from: value).query == "b=caught")
    }

    @Test func `the reason does not contain the text of a custom EncodingError`() throws {
        let theirs = EncodingError.invalidValue("hunter2", .init(codingPath: [], debugDescription: "hunter2"))
        let error = try #require(throws: ServiceError.self) {
            try QueryEncoding.standard.items(from: One(a: Custom { _ in throw theirs }))
        }
        #expect(error.reason == "query value at a: encode(to:) threw an error")
        #expect(error.underlying is EncodingError)
    }

    @Test func `a custom ServiceError is a cause like other errors`() throws {
        let theirs = ServiceError(.configuration, "no account")
        let error = try #require(throws: ServiceError.self) {
            try QueryEncoding.standard.items(from: Custom { _ in throw theirs })
        }
        #expect(error.code == .encoding)
        #expect((error.underlying as? ServiceError)?.code == .configuration)
    }
}
