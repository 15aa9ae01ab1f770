// The syntax tree of a document, as far as validation requires it (GraphQL, section 2).

/// A name and its location.
struct Name: Sendable {
    let text: String
    let location: GraphQLLocation
}

/// An operation (section 2.3).
struct OperationDefinition: Sendable {
    let kind: QueryDocument.Operation.Kind
    let name: Name?
    let variables: [VariableDefinition]
    let directives: [Directive]
    let selections: [Selection]
    let location: GraphQLLocation
}

/// A fragment definition (section 2.8).
struct FragmentDefinition: Sendable {
    let name: Name
    let type: Name
    let directives: [Directive]
    let selections: [Selection]
}

/// A variable definition (section 2.10).
struct VariableDefinition: Sendable {
    let name: Name
    let type: TypeReference
    let defaultValue: Value?
    let directives: [Directive]
}

/// A type reference (section 2.11).
indirect enum TypeReference: Sendable {
    case named(Name)
    case list(TypeReference)
    case nonNull(TypeReference)

    /// The named type inside lists and non-null types.
    var name: Name {
        switch self {
        case .named(let name): name
        case .list(let inner), .nonNull(let inner): inner.name
        }
    }

    var isNonNull: Bool { if case .nonNull = self { true } else { false } }
}

/// A selection (sections 2.4, 2.5 and 2.8).
indirect enum Selection: Sendable {
    case field(Field)
    case spread(Name, [Directive])
    case inline(type: Name?, directives: [Directive], selections: [Selection])
}

/// A field (section 2.5).
struct Field: Sendable {
    let name: Name
    let arguments: [Argument]
    let directives: [Directive]
    let selections: [Selection]
}

/// An argument (section 2.6).
struct Argument: Sendable {
    let name: Name
    let value: Value
}

/// A directive (section 2.12).
struct Directive: Sendable {
    let name: Name
    let arguments: [Argument]
}

/// A value (section 2.9).
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

/// An executable document (section 2.2).
struct ExecutableDocument: Sendable {
    var operations: [OperationDefinition] = []
    var fragments: [FragmentDefinition] = []
}
