/// A place in a value: a member's name or an element's number.
struct PlaceKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(index: Int) {
        stringValue = "\(index)"
        intValue = index
    }

    /// The number of an element as Foundation's decoders spell it.
    init(decoding index: Int) {
        stringValue = "Index \(index)"
        intValue = index
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
