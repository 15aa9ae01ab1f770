/// The types of a schema (GraphQL, section 3), as far as checks of documents require them.
struct SchemaTypes: Sendable {
    var types: [String: SchemaType] = [:]
    /// The arguments of each directive.
    var directives: [String: [String: SchemaInput]] = [
        "skip": ["if": SchemaInput(type: .nonNull(.named("Boolean")), hasDefault: false)],
        "include": ["if": SchemaInput(type: .nonNull(.named("Boolean")), hasDefault: false)],
    ]
    /// The root type of each kind of operation.
    var roots: [QueryDocument.Operation.Kind: String] = [:]

    init() {
        for name in ["Int", "Float", "String", "Boolean", "ID"] { types[name] = SchemaType(kind: .scalar) }
    }
}

/// A type (section 3.4).
struct SchemaType: Sendable {
    enum Kind: String, Decodable {
        case scalar = "SCALAR"
        case object = "OBJECT"
        case interface = "INTERFACE"
        case union = "UNION"
        case enumeration = "ENUM"
        case input = "INPUT_OBJECT"
    }

    var kind: Kind
    var fields: [String: SchemaField] = [:]
    var inputs: [String: SchemaInput] = [:]
    var values: Set<String> = []

    /// Whether the type has fields or members to select from.
    var isComposite: Bool { [.object, .interface, .union].contains(kind) }
    /// Whether a variable can have this type.
    var isInput: Bool { [.scalar, .enumeration, .input].contains(kind) }
}

/// A field (section 3.6).
struct SchemaField: Sendable {
    let type: SchemaTypeReference
    let arguments: [String: SchemaInput]
}

/// An argument, or a field of an input object (sections 3.6.1 and 3.10).
struct SchemaInput: Sendable {
    let type: SchemaTypeReference
    let hasDefault: Bool

    var isRequired: Bool { type.isNonNull && !hasDefault }
}

/// A reference to a type (section 3.4.1).
indirect enum SchemaTypeReference: Sendable, Equatable {
    case named(String)
    case list(SchemaTypeReference)
    case nonNull(SchemaTypeReference)

    init(_ type: TypeReference) {
        self =
            switch type {
            case .named(let name): .named(name.text)
            case .list(let inner): .list(SchemaTypeReference(inner))
            case .nonNull(let inner): .nonNull(SchemaTypeReference(inner))
            }
    }

    var name: String {
        switch self {
        case .named(let name): name
        case .list(let inner), .nonNull(let inner): inner.name
        }
    }

    var isNonNull: Bool { if case .nonNull = self { true } else { false } }

    var nullable: SchemaTypeReference { if case .nonNull(let inner) = self { inner } else { self } }

    /// The type in the syntax of documents.
    var text: String {
        switch self {
        case .named(let name): String(name.prefix(64))
        case .list(let inner): "[\(inner.text)]"
        case .nonNull(let inner): "\(inner.text)!"
        }
    }

    /// Whether a variable of this type is allowed at a position that expects another type (AreTypesCompatible, section
    /// 5.8.5).
    func fits(_ position: SchemaTypeReference) -> Bool {
        switch (self, position) {
        case (.nonNull(let own), .nonNull(let expected)): own.fits(expected)
        case (_, .nonNull): false
        case (.nonNull(let own), _): own.fits(position)
        case (.list(let own), .list(let expected)): own.fits(expected)
        case (.named(let own), .named(let expected)): own == expected
        default: false
        }
    }
}
