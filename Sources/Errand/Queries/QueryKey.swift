/// A place in a value: a member's name or an element's number.
struct QueryKey: CodingKey {
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

    init(stringValue: String) {
        self.init(stringValue)
    }

    init(intValue: Int) {
        self.init(index: intValue)
    }

    /// What `superEncoder()` uses where it is given no key, as in Foundation's encoders.
    static let superKey: QueryKey = QueryKey("super")
}
