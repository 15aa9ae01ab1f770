// What a document is made of, as far as its checks need it (GraphQL, section 2).

/// A name and where it stands.
struct Name: Sendable {
    let text: String
    let location: GraphQLLocation
}

/// Section 2.3.
struct OperationDefinition: Sendable {
    let kind: QueryDocument.Operation.Kind
    let name: Name?
    let variables: [VariableDefinition]
    let directives: [Directive]
    let selections: [Selection]
    let location: GraphQLLocation
}

/// Section 2.8.
struct FragmentDefinition: Sendable {
    let name: Name
    let type: Name
    let directives: [Directive]
    let selections: [Selection]
}

/// Section 2.10.
struct VariableDefinition: Sendable {
    let name: Name
    let type: TypeReference
    let defaultValue: Value?
    let directives: [Directive]
}

/// Section 2.11.
indirect enum TypeReference: Sendable {
    case named(Name)
    case list(TypeReference)
    case nonNull(TypeReference)

    /// The type at the bottom.
    var name: Name {
        switch self {
        case .named(let name): name
        case .list(let inner), .nonNull(let inner): inner.name
        }
    }

    var isNonNull: Bool { if case .nonNull = self { true } else { false } }
}

/// Sections 2.4, 2.5 and 2.8.
indirect enum Selection: Sendable {
    case field(Field)
    case spread(Name, [Directive])
    case inline(type: Name?, directives: [Directive], selections: [Selection])
}

/// Section 2.5.
struct Field: Sendable {
    let name: Name
    let arguments: [Argument]
    let directives: [Directive]
    let selections: [Selection]
}

/// Section 2.6.
struct Argument: Sendable {
    let name: Name
    let value: Value
}

/// Section 2.12.
struct Directive: Sendable {
    let name: Name
    let arguments: [Argument]
}

/// Section 2.9.
indirect enum Value: Sendable {
    case variable(Name)
    case enumeration(Name)
    case int(GraphQLLocation)
    case float(GraphQLLocation)
    case string(GraphQLLocation)
    case bool(GraphQLLocation)
    case null(GraphQLLocation)
    case list([Value], GraphQLLocation)
    case object([Argument], GraphQLLocation)
}

/// Section 2.2, of what can be executed.
struct ExecutableDocument: Sendable {
    var operations: [OperationDefinition] = []
    var fragments: [FragmentDefinition] = []
}
