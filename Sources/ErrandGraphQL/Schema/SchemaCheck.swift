/// Checks a document against a schema (GraphQL, section 5).
struct SchemaCheck {
    /// The maximum number of reported problems.
    static let limit = 100

    /// A variable and the expected type at its position.
    struct VariableUse {
        let name: Name
        let type: SchemaTypeReference
        let hasDefault: Bool
    }

    let schema: SchemaTypes
    private let document: ExecutableDocument
    private var found: [DocumentProblem] = []
    /// The variables that the current definition uses.
    var uses: [VariableUse] = []

    /// The variables and fragments that each fragment uses.
    private let usesOfFragments: [String: Uses]

    init(_ schema: SchemaTypes, _ document: ExecutableDocument) {
        self.schema = schema
        self.document = document
        usesOfFragments = Dictionary(
            document.fragments.map { ($0.name.text, Uses(of: $0.selections, $0.directives)) },
            uniquingKeysWith: { first, _ in first })
    }

    mutating func problems() -> [DocumentProblem] {
        var usesByFragment: [String: [VariableUse]] = [:]
        for fragment in document.fragments {
            uses = []
            check(fragment)
            usesByFragment[fragment.name.text] = uses
        }
        for operation in document.operations {
            uses = []
            check(operation)
            checkVariables(of: operation, uses, usesByFragment)
        }
        checkFragmentsAreUsed()
        return found.sorted { ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column) }
    }

    mutating func report(_ message: String, at location: GraphQLLocation) {
        if found.count < Self.limit { found.append(DocumentProblem(message, at: location)) }
    }

    private mutating func check(_ fragment: FragmentDefinition) {
        check(fragment.directives)
        check(fragment.selections, on: composite(fragment.type))
    }

    private mutating func check(_ operation: OperationDefinition) {
        for variable in operation.variables {
            check(variable.directives)
            let name = variable.type.name
            guard let type = schema.types[name.text] else {
                report("unknown type “\(name.text.prefix(64))”", at: name.location)
                continue
            }
            if !type.isInput { report("expected an input type, found “\(name.text.prefix(64))”", at: name.location) }
            if let value = variable.defaultValue { check(value, fits: SchemaTypeReference(variable.type)) }
        }
        check(operation.directives)
        guard let root = schema.roots[operation.kind], schema.types[root] != nil else {
            return report("the schema has no \(operation.kind.rawValue) type", at: operation.location)
        }
        check(operation.selections, on: root)
    }

    /// Returns the name of a composite type. If the type is not composite, reports a problem and returns `nil`
    /// (sections 5.5.1.2 and 5.5.1.3).
    private mutating func composite(_ name: Name) -> String? {
        guard let type = schema.types[name.text] else {
            report("unknown type “\(name.text.prefix(64))”", at: name.location)
            return nil
        }
        if type.isComposite { return name.text }
        report("expected an object, interface or union type, found “\(name.text.prefix(64))”", at: name.location)
        return nil
    }

    /// Checks the selections on a type. If the type is unknown (`nil`), its fields are not checked.
    private mutating func check(_ selections: [Selection], on type: String?) {
        for selection in selections {
            switch selection {
            case .field(let field): check(field, on: type)
            case .spread(_, let directives): check(directives)
            case .inline(let condition, let directives, let inner):
                check(directives)
                check(inner, on: condition.map { composite($0) } ?? type)
            }
        }
    }

    /// Checks a field (sections 5.3.1 and 5.3.3).
    private mutating func check(_ field: Field, on parent: String?) {
        check(field.directives)
        if field.name.text == "__typename" { return }
        // Selections on introspection types are not checked. They are rare, and the types are the same in all schemas.
        let isQueryRoot = parent != nil && parent == schema.roots[.query]
        if isQueryRoot, ["__schema", "__type"].contains(field.name.text) { return }
        guard let parent, let type = schema.types[parent] else { return check(field.selections, on: nil) }
        guard let definition = type.fields[field.name.text] else {
            report(
                "unknown field “\(field.name.text.prefix(64))” on type “\(parent.prefix(64))”", at: field.name.location)
            return check(field.selections, on: nil)
        }
        check(field.arguments, of: definition.arguments, "field “\(field.name.text.prefix(64))”", at: field.name)
        let isComposite = schema.types[definition.type.name]?.isComposite ?? false
        if isComposite, field.selections.isEmpty {
            report(
                "the field “\(field.name.text.prefix(64))” of type \(definition.type.text) requires a selection set",
                at: field.name.location)
        } else if !isComposite, !field.selections.isEmpty {
            report(
                "the field “\(field.name.text.prefix(64))” of type \(definition.type.text) accepts no selection set",
                at: field.name.location)
        } else {
            check(field.selections, on: definition.type.name)
        }
    }
}

extension SchemaCheck {
    /// Checks that each fragment is used (section 5.5.1.4).
    private mutating func checkFragmentsAreUsed() {
        let operations = document.operations.map { Uses(of: $0.selections, $0.directives) }
        let used = Set((operations + usesOfFragments.values).flatMap(\.fragments).map(\.text))
        for fragment in document.fragments where !used.contains(fragment.name.text) {
            report("unused fragment “\(fragment.name.text.prefix(64))”", at: fragment.name.location)
        }
    }

    /// Checks that variables fit their positions and are used, also in the fragments of the operation (sections 5.8.4
    /// and 5.8.5).
    private mutating func checkVariables(
        of operation: OperationDefinition, _ own: [VariableUse], _ usesByFragment: [String: [VariableUse]]
    ) {
        let declared = Dictionary(
            operation.variables.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
        let (fragments, names) = reach(of: operation)
        for use in own + fragments.flatMap({ usesByFragment[$0] ?? [] }) {
            guard let variable = declared[use.name.text] else { continue }
            let type = SchemaTypeReference(variable.type)
            var hasDefault = use.hasDefault
            if let value = variable.defaultValue {
                if case .null = value {} else { hasDefault = true }
            }
            let expected = hasDefault && !type.isNonNull ? use.type.nullable : use.type
            guard !type.fits(expected), schema.types[type.name] != nil else { continue }
            let name = use.name.text.prefix(64)
            report("expected \(use.type.text), found “$\(name)” of type \(type.text)", at: use.name.location)
        }
        for variable in operation.variables where !names.contains(variable.name.text) {
            report("unused variable “$\(variable.name.text.prefix(64))”", at: variable.name.location)
        }
    }

    /// Returns the fragments that an operation uses, directly or indirectly, and the variables that the operation and
    /// these fragments use.
    private func reach(of operation: OperationDefinition) -> (fragments: [String], variables: Set<String>) {
        var fragments: [String] = []
        var reached: Set<String> = []
        var variables: Set<String> = []
        var pending = [Uses(of: operation.selections, operation.directives)]
        while let uses = pending.popLast() {
            variables.formUnion(uses.variables.map(\.text))
            for name in uses.fragments.map(\.text) where reached.insert(name).inserted {
                guard let next = usesOfFragments[name] else { continue }
                fragments.append(name)
                pending.append(next)
            }
        }
        return (fragments, variables)
    }
}
