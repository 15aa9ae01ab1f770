extension Parser {
    /// The limits for a document to send: 256 kB, 50,000 tokens, 100 levels of nesting and 1,000 definitions.
    static let documentLimits = DocumentLimits(bytes: 262_144, tokens: 50_000, depth: 100, definitions: 1_000)

    /// Parses operations and fragments (GraphQL, sections 2.2, 2.3 and 2.8).
    static func document(_ text: String) throws(DocumentProblem) -> ExecutableDocument {
        var parser = try Parser(text, limits: documentLimits)
        var document = ExecutableDocument()
        while parser.token.kind != .end {
            try parser.definition(into: &document)
            guard document.operations.count + document.fragments.count <= documentLimits.definitions else {
                throw parser.problem("expected at most \(documentLimits.definitions) definitions")
            }
        }
        return document
    }

    private mutating func definition(into document: inout ExecutableDocument) throws(DocumentProblem) {
        let location = token.location
        switch token.kind {
        case .punctuator("{"):
            let operation = OperationDefinition(
                kind: .query, name: nil, variables: [], directives: [], selections: try selections(), location: location
            )
            document.operations.append(operation)
        case .name("fragment"):
            try advance()
            document.fragments.append(try fragment())
        case .name(let word):
            guard let kind = QueryDocument.Operation.Kind(rawValue: word) else {
                throw expected("query, mutation, subscription or fragment")
            }
            try advance()
            document.operations.append(try operation(kind, location))
        case .punctuator("}"), .punctuator(")"), .punctuator("]"):
            throw problem("unmatched \(token.text)")
        default: throw expected("query, mutation, subscription or fragment")
        }
    }

    private mutating func operation(
        _ kind: QueryDocument.Operation.Kind, _ location: GraphQLLocation
    ) throws(DocumentProblem) -> OperationDefinition {
        var operationName: Name?
        if case .name = token.kind { operationName = try name("a name") }
        let variables = try optionalList(from: "(", to: ")") { parser throws(DocumentProblem) in
            try parser.variable()
        }
        return OperationDefinition(
            kind: kind, name: operationName, variables: variables, directives: try directives(),
            selections: try selections(), location: location)
    }

    private mutating func fragment() throws(DocumentProblem) -> FragmentDefinition {
        let fragmentName = try name("a fragment name")
        guard fragmentName.text != "on" else {
            throw DocumentProblem("expected a fragment name, found the keyword “on”", at: fragmentName.location)
        }
        guard try take(word: "on") else { throw expected("“on”") }
        return FragmentDefinition(
            name: fragmentName, type: try name("a type"), directives: try directives(), selections: try selections())
    }

    private mutating func variable() throws(DocumentProblem) -> VariableDefinition {
        let name = try variableName()
        try require(":")
        let type = try type()
        // The default value and the directives must be constant (section 2.10).
        let defaultValue = try take("=") ? try constant { parser throws(DocumentProblem) in try parser.value() } : nil
        let directives = try constant { parser throws(DocumentProblem) in try parser.directives() }
        return VariableDefinition(name: name, type: type, defaultValue: defaultValue, directives: directives)
    }

    private mutating func selections() throws(DocumentProblem) -> [Selection] {
        try list(from: "{", to: "}") { parser throws(DocumentProblem) in try parser.selection() }
    }

    private mutating func selection() throws(DocumentProblem) -> Selection {
        guard token.kind == .spread else { return .field(try field()) }
        try advance()
        if case .name(let word) = token.kind, word != "on" {
            return .spread(try name("a fragment"), try directives())
        }
        let type = try take(word: "on") ? try name("a type") : nil
        return .inline(type: type, directives: try directives(), selections: try selections())
    }

    private mutating func field() throws(DocumentProblem) -> Field {
        var fieldName = try name("a field")
        if try take(":") { fieldName = try name("a field") }
        let arguments = try arguments()
        let directives = try directives()
        let selections = token.kind == .punctuator("{") ? try selections() : []
        return Field(name: fieldName, arguments: arguments, directives: directives, selections: selections)
    }
}
