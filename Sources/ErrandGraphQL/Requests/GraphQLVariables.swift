import Errand

/// An operation's variables as a dictionary of mixed values; any `Encodable` type can be used in its place.
///
/// ```swift
/// let variables: GraphQLVariables = ["search": searchQuery, "limit": limit, "since": Date.now, "filter": filter]
/// ```
/// The values are whatever encodes. `nil` is sent as `null`; a variable that is left out takes the default that its
/// operation declares (GraphQL, section 6.1.2). An object of mixed values within is the same again:
/// `["input": ["text": text, "stars": stars] as GraphQLVariables]`; ``GraphQLValue`` is for literals, and for what is read. No
/// strategy of the encoder changes the variables' names.
///
/// Its description names the variables, never their values.
public struct GraphQLVariables: Sendable {
    /// What a variable can be.
    public typealias Value = (any Encodable & Sendable)?

    private var values: [String: Value]

    /// Takes variables by name.
    public init(_ values: [String: Value] = [:]) {
        self.values = values
    }

    /// A variable's value; setting nil leaves it out, and takes the default that its operation declares.
    public subscript(name: String) -> (any Encodable & Sendable)? {
        get { values[name] ?? nil }
        set { values[name] = newValue.map(Value.some) }
    }

    /// The variables' names, sorted.
    public var names: [String] { values.keys.sorted() }
}

extension GraphQLVariables: ExpressibleByDictionaryLiteral {
    /// Takes a literal; of two equal names the later one counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(Dictionary(elements, uniquingKeysWith: { _, later in later }))
    }
}

extension GraphQLVariables: Encodable {
    /// Writes an object of the values.
    public func encode(to encoder: any Encoder) throws {
        try ExactMembers(values).encode(to: encoder)
    }
}

extension GraphQLVariables: CustomStringConvertible, CustomReflectable {
    /// The names alone.
    public var description: String { "variables \(names)" }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["names": names]) }
}

/// Stands for the variables of an operation that has none: its loader has `load()` and `response()`.
public struct NoVariables: Encodable, Sendable, Hashable {
    /// There is only one.
    public init() {}
}

/// An object whose keys are written as they are: strategies for keys leave those of dictionaries alone.
struct ExactMembers: Encodable {
    private struct Member: Encodable {
        let value: (any Encodable)?

        func encode(to encoder: any Encoder) throws {
            // Through a container, so that the encoder's own strategies for dates and data apply.
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
