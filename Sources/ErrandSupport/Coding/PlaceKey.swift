/// A place in a value: a member's name or an element's number.
package struct PlaceKey: CodingKey {
    /// Small enough to need no allocation as an `any CodingKey`; nothing is spelled before it is read.
    private enum Place {
        case name(String)
        case number(Int)
        case decodingNumber(Int)
    }

    private let place: Place

    package init(_ name: String) { place = .name(name) }

    package init(index: Int) { place = .number(index) }

    /// The number of an element as Foundation's decoders spell it.
    package init(decoding index: Int) { place = .decodingNumber(index) }

    package var stringValue: String {
        switch place {
        case .name(let name): name
        case .number(let number): "\(number)"
        case .decodingNumber(let number): "Index \(number)"
        }
    }

    package var intValue: Int? {
        switch place {
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

    /// What `superEncoder()` and `superDecoder()` use where they are given no key, as in Foundation.
    package static let superKey: PlaceKey = PlaceKey("super")
}
