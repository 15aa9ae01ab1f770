extension GraphQLValue: ExpressibleByNilLiteral {
    /// Creates ``null``.
    public init(nilLiteral: ()) { self = .null }
}

extension GraphQLValue: ExpressibleByBooleanLiteral {
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension GraphQLValue: ExpressibleByIntegerLiteral {
    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .int(value) }
}

extension GraphQLValue: ExpressibleByFloatLiteral {
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension GraphQLValue: ExpressibleByStringInterpolation {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension GraphQLValue: ExpressibleByArrayLiteral {
    /// Creates an array of mixed values.
    public init(arrayLiteral elements: GraphQLValue...) { self = .list(elements) }
}

extension GraphQLValue: ExpressibleByDictionaryLiteral {
    /// Creates an object of mixed values. If two keys are equal, the later one is used.
    public init(dictionaryLiteral elements: (String, GraphQLValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, later in later }))
    }
}
