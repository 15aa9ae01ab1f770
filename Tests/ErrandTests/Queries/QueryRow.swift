import Errand
import Testing

/// A value, its encoding options and the expected query.
struct QueryRow: Sendable, CustomTestStringConvertible {
    let name: String
    let expected: String
    let items: @Sendable () throws -> QueryItems

    var testDescription: String { name }

    init(
        _ name: String, _ value: some Encodable & Sendable, _ encoding: QueryEncoding = .standard, is expected: String
    ) {
        self.name = name
        self.expected = expected
        items = { try encoding.items(from: value) }
    }

    init(
        _ name: String, values: [String: any Sendable], _ encoding: QueryEncoding = .standard, is expected: String
    ) {
        self.name = name
        self.expected = expected
        items = { try encoding.items(from: values) }
    }
}
