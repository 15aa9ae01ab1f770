/// A place in a value: a member's name or an element's number.
struct PlaceKey: CodingKey {
    /// Small enough to need no allocation as an `any CodingKey`; nothing is spelled before it is read.
    private enum Place {
        case name(String)
        case number(Int)
        case decodingNumber(Int)
    }

    private let place: Place

    init(_ name: String) { place = .name(name) }

    init(index: Int) { place = .number(index) }

    /// The number of an element as Foundation's decoders spell it.
    init(decoding index: Int) { place = .decodingNumber(index) }

    var stringValue: String {
        switch place {
        case .name(let name): name
        case .number(let number): "\(number)"
        case .decodingNumber(let number): "Index \(number)"
        }
    }

    var intValue: Int? {
        switch place {
        case .name: nil
        case .number(let number), .decodingNumber(let number): number
        }
    }

    init(stringValue: String) {
        self.init(stringValue)
    }

    init(intValue: Int) {
        self.init(index: intValue)
    }

    /// What `superEncoder()` and `superDecoder()` use where they are given no key, as in Foundation.
    static let superKey: PlaceKey = PlaceKey("super")
}
