import Errand

/// The variables of an operation as a dictionary of mixed values. Any `Encodable` type can be used instead.
///
/// ```swift
/// let variables: GraphQLVariables = ["search": searchQuery, "limit": limit, "since": Date.now, "filter": filter]
/// let nested: GraphQLVariables = ["input": ["text": text, "stars": stars] as GraphQLVariables]
/// ```
/// Values can have any `Encodable` type, including this one for a nested object of mixed values. ``GraphQLValue`` is
/// for literals and for decoded values. `nil` is sent as `null`. If a variable is omitted, its default value in the
/// operation is used (GraphQL, section 6.1.2). The key strategy of the encoder does not change the names of variables.
///
/// The description contains the names of the variables, never their values.
public struct GraphQLVariables: Sendable {
    /// The value of a variable.
    public typealias Value = (any Encodable & Sendable)?

    private var values: [String: Value]

    /// Creates variables from a dictionary.
    public init(_ values: [String: Value] = [:]) {
        self.values = values
    }

    /// The value of a variable. Set `nil` to omit the variable, so that its default value in the operation is used.
    public subscript(name: String) -> (any Encodable & Sendable)? {
        get { values[name] ?? nil }
        set { values[name] = newValue.map(Value.some) }
    }

    /// The names of the variables, sorted.
    public var names: [String] { values.keys.sorted() }
}

extension GraphQLVariables: ExpressibleByDictionaryLiteral {
    /// Creates variables from a literal. If two names are equal, the later one is used.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(Dictionary(elements, uniquingKeysWith: { _, later in later }))
    }
}

extension GraphQLVariables: Encodable {
    /// Encodes an object of the values.
    public func encode(to encoder: any Encoder) throws {
        try ExactMembers(values).encode(to: encoder)
    }
}

extension GraphQLVariables: CustomStringConvertible, CustomReflectable {
    /// The names of the variables.
    public var description: String { "variables \(names)" }
    /// A mirror that contains only the names.
    public var customMirror: Mirror { Mirror(self, children: ["names": names]) }
}

/// The input of an operation without variables. A loader for it has the methods `load()` and `response()`.
public struct NoVariables: Encodable, Sendable, Hashable {
    /// Creates the input.
    public init() {}
}

/// An object that is encoded with unchanged keys. Key strategies do not apply to dictionaries.
struct ExactMembers: Encodable {
    private struct Member: Encodable {
        let value: (any Encodable)?

        func encode(to encoder: any Encoder) throws {
            // The container applies the encoder's strategies for dates and data.
            var container = encoder.singleValueContainer()
            if let value { try container.encode(value) } else { try container.encodeNil() }
        }
    }

    private let members: [String: Member]

    init(_ values: [String: (any Encodable & Sendable)?]) {
        members = values.mapValues { Member(value: $0) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(members)
    }
}
