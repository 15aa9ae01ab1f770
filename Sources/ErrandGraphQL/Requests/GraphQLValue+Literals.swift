extension GraphQLValue: ExpressibleByNilLiteral {
    /// `nil` is ``null``.
    public init(nilLiteral: ()) { self = .null }
}

extension GraphQLValue: ExpressibleByBooleanLiteral {
    /// `true` and `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension GraphQLValue: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral value: Int) { self = .int(value) }
}

extension GraphQLValue: ExpressibleByFloatLiteral {
    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension GraphQLValue: ExpressibleByStringInterpolation {
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension GraphQLValue: ExpressibleByArrayLiteral {
    /// An array of mixed values.
    public init(arrayLiteral elements: GraphQLValue...) { self = .list(elements) }
}

extension GraphQLValue: ExpressibleByDictionaryLiteral {
    /// An object of mixed values; of two equal keys the later one counts.
    public init(dictionaryLiteral elements: (String, GraphQLValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, later in later }))
    }
}
