/// Parses the schema definition language (GraphQL, section 3).
struct SchemaParser {
    /// The limits for a schema: 16 MB, 4,000,000 tokens, 100 levels of nesting and 100,000 definitions.
    static let limits = DocumentLimits(bytes: 16_777_216, tokens: 4_000_000, depth: 100, definitions: 100_000)

    private var parser: Parser
    private var schema = SchemaTypes()
    private var roots: [QueryDocument.Operation.Kind: String]?
    /// The types that were defined, not only extended.
    private var defined: Set<String> = []

    static func schema(_ text: String) throws(DocumentProblem) -> SchemaTypes {
        var reader = SchemaParser(parser: try Parser(text, limits: limits))
        var count = 0
        while reader.parser.token.kind != .end {
            try reader.definition()
            count += 1
            guard count <= limits.definitions else {
                throw reader.parser.problem("expected at most \(limits.definitions) definitions")
            }
        }
        reader.schema.roots = reader.roots ?? reader.usualRoots
        return reader.schema
    }

    private init(parser: Parser) {
        self.parser = parser
    }

    /// The root types of a schema without a `schema` definition (section 3.3.1).
    private var usualRoots: [QueryDocument.Operation.Kind: String] {
        let names: [QueryDocument.Operation.Kind: String] = [
            .query: "Query", .mutation: "Mutation", .subscription: "Subscription",
        ]
        return names.filter { schema.types[$0.value] != nil }
    }

    private mutating func skipDescription() throws(DocumentProblem) {
        if parser.token.kind == .string { try parser.advance() }
    }

    private mutating func definition() throws(DocumentProblem) {
        try skipDescription()
        let isExtension = try parser.take(word: "extend")
        let word = try parser.name("a definition")
        switch word.text {
        case "schema": try rootTypes()
        case "scalar": try type(.scalar, isExtension)
        case "type": try type(.object, isExtension)
        case "interface": try type(.interface, isExtension)
        case "union": try type(.union, isExtension)
        case "enum": try type(.enumeration, isExtension)
        case "input": try type(.input, isExtension)
        case "directive": try directive()
        default: throw DocumentProblem("expected a definition, found “\(word.text.prefix(64))”", at: word.location)
        }
    }

    /// Parses the root types (section 3.3).
    private mutating func rootTypes() throws(DocumentProblem) {
        _ = try parser.directives()
        guard parser.token.kind == .punctuator("{") else { return }
        let pairs = try parser.list(from: "{", to: "}") { parser throws(DocumentProblem) in
            let word = try parser.name("query, mutation or subscription")
            guard let kind = QueryDocument.Operation.Kind(rawValue: word.text) else {
                throw DocumentProblem("expected query, mutation or subscription", at: word.location)
            }
            try parser.require(":")
            return (kind, try parser.name("a type").text)
        }
        roots = (roots ?? [:]).merging(pairs, uniquingKeysWith: { _, later in later })
    }

    private mutating func type(_ kind: SchemaType.Kind, _ isExtension: Bool) throws(DocumentProblem) {
        let name = try parser.name("a type")
        guard isExtension || defined.insert(name.text).inserted else {
            throw DocumentProblem("duplicate type “\(name.text.prefix(64))”", at: name.location)
        }
        var type = schema.types[name.text] ?? SchemaType(kind: kind)
        type.kind = kind
        if try parser.take(word: "implements") { try skipNames(separatedBy: "&") }
        _ = try parser.directives()
        switch kind {
        case .scalar: break
        case .union: if try parser.take("=") { try skipNames(separatedBy: "|") }
        case .object, .interface:
            type.fields.merge(try fields(), uniquingKeysWith: { _, later in later })
        case .enumeration: type.values.formUnion(try values())
        case .input:
            let inputs = try parser.optionalList(from: "{", to: "}") { parser throws(DocumentProblem) in
                try parser.schemaInput()
            }
            type.inputs.merge(inputs, uniquingKeysWith: { _, later in later })
        }
        schema.types[name.text] = type
    }

    /// Skips a list of names, such as interfaces or union members. The first name may follow a separator too.
    private mutating func skipNames(separatedBy separator: Character) throws(DocumentProblem) {
        _ = try parser.take(separator)
        repeat { _ = try parser.name("a type") } while try parser.take(separator)
    }

    private mutating func fields() throws(DocumentProblem) -> [(String, SchemaField)] {
        try parser.optionalList(from: "{", to: "}") { parser throws(DocumentProblem) in
            if parser.token.kind == .string { try parser.advance() }
            let name = try parser.name("a field")
            let arguments = try parser.schemaArguments()
            try parser.require(":")
            let field = SchemaField(type: SchemaTypeReference(try parser.type()), arguments: arguments)
            _ = try parser.directives()
            return (name.text, field)
        }
    }

    private mutating func values() throws(DocumentProblem) -> [String] {
        try parser.optionalList(from: "{", to: "}") { parser throws(DocumentProblem) in
            if parser.token.kind == .string { try parser.advance() }
            let name = try parser.name("a value")
            _ = try parser.directives()
            return name.text
        }
    }

    /// Parses a directive definition (section 3.13).
    private mutating func directive() throws(DocumentProblem) {
        try parser.require("@")
        let name = try parser.name("a directive")
        schema.directives[name.text] = try parser.schemaArguments()
        _ = try parser.take(word: "repeatable")
        guard try parser.take(word: "on") else { throw parser.expected("“on”") }
        try skipNames(separatedBy: "|")
    }
}

extension Parser {
    fileprivate mutating func schemaArguments() throws(DocumentProblem) -> [String: SchemaInput] {
        let inputs = try optionalList(from: "(", to: ")") { parser throws(DocumentProblem) in
            try parser.schemaInput()
        }
        return Dictionary(inputs, uniquingKeysWith: { _, later in later })
    }

    fileprivate mutating func schemaInput() throws(DocumentProblem) -> (String, SchemaInput) {
        if token.kind == .string { try advance() }
        let name = try name("an argument")
        try require(":")
        let type = SchemaTypeReference(try type())
        let hasDefault = try take("=")
        if hasDefault { _ = try value() }
        _ = try directives()
        return (name.text, SchemaInput(type: type, hasDefault: hasDefault))
    }
}
