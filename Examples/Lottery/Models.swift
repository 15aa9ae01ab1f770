package import Errand

// Identifiers are strings, even if the server sends numbers. Members that the server can omit are optional and have no
// defaults.

package struct LotoResult: Decodable, Equatable, Sendable {
    package let draw: Draw
    package let drawingDate: Date
    package let prizes: [Prize]?
    package let numbers: [Int]
    package let extraNumber: Int?
}

package struct Draw: Decodable, Equatable, Sendable {
    @StringID package var id: String
    package let name: String
}

package struct Prize: Decodable, Equatable, Sendable {
    package let hits: Int
    package let amount: Decimal
}

package struct User: Decodable, Equatable, Sendable {
    @StringID package var id: String
    package let name: String

    package init(id: String, name: String) {
        (_id, self.name) = (StringID(wrappedValue: id), name)
    }
}
