/// A coding key: the name of a member or the index of an element.
package struct PathKey: CodingKey {
    /// The key. It is small enough to need no allocation in an `any CodingKey`, and its text is created only on
    /// request.
    private enum Value {
        case name(String)
        case number(Int)
        case decodingNumber(Int)
    }

    private let value: Value

    package init(_ name: String) { value = .name(name) }

    package init(index: Int) { value = .number(index) }

    /// Creates the index of an element, with the text that Foundation's decoders use.
    package init(decoding index: Int) { value = .decodingNumber(index) }

    package var stringValue: String {
        switch value {
        case .name(let name): name
        case .number(let number): "\(number)"
        case .decodingNumber(let number): "Index \(number)"
        }
    }

    package var intValue: Int? {
        switch value {
        case .name: nil
        case .number(let number), .decodingNumber(let number): number
        }
    }

    package init(stringValue: String) {
        self.init(stringValue)
    }

    package init(intValue: Int) {
        self.init(index: intValue)
    }

    /// The key that `superEncoder()` and `superDecoder()` use if they have no argument, as in Foundation.
    package static let superKey: PathKey = PathKey("super")
}
