/// Parses the syntax that documents and schemas share (GraphQL, section 2), up to a maximum level of nesting.
struct Parser {
    private var lexer: Lexer
    private let limits: DocumentLimits
    private var depth = 0
    /// Whether values must be constant, so that variables are not allowed (GraphQL, section 2.9).
    private var isConstant = false
    private(set) var token: Token

    init(_ text: String, limits: DocumentLimits) throws(DocumentProblem) {
        self.limits = limits
        lexer = try Lexer(text, limits: limits)
        token = try lexer.next()
    }

    func problem(_ message: String) -> DocumentProblem { DocumentProblem(message, at: token.location) }

    func expected(_ what: String) -> DocumentProblem { problem("expected \(what), found \(token.text)") }

    mutating func advance() throws(DocumentProblem) { token = try lexer.next() }

    /// Consumes the current token if it is the given punctuator. Otherwise, returns `false`.
    mutating func take(_ character: Character) throws(DocumentProblem) -> Bool {
        guard token.kind == .punctuator(character) else { return false }
        try advance()
        return true
    }

    mutating func require(_ character: Character) throws(DocumentProblem) {
        guard try take(character) else { throw expected("“\(character)”") }
    }

    /// Consumes the current token if it is the given word. Otherwise, returns `false`.
    mutating func take(word: String) throws(DocumentProblem) -> Bool {
        guard token.kind == .name(word) else { return false }
        try advance()
        return true
    }

    mutating func name(_ what: String) throws(DocumentProblem) -> Name {
        guard case .name(let text) = token.kind else { throw expected(what) }
        let name = Name(text: text, location: token.location)
        try advance()
        return name
    }

    /// Parses elements between two punctuators, at least one unless `mayBeEmpty` is `true`. The error for a missing
    /// closing punctuator contains the location of the opening one.
    mutating func list<Element>(
        from open: Character, to close: Character, mayBeEmpty: Bool = false,
        _ element: (inout Parser) throws(DocumentProblem) -> Element
    ) throws(DocumentProblem) -> [Element] {
        let start = token.location
        try require(open)
        depth += 1
        guard depth <= limits.depth else { throw problem("expected at most \(limits.depth) levels of nesting") }
        var elements: [Element] = []
        while try !take(close) {
            guard token.kind != .end else { throw problem("the “\(open)” at \(start) is not closed") }
            elements.append(try element(&self))
        }
        guard mayBeEmpty || !elements.isEmpty else {
            throw DocumentProblem("expected an element between “\(open)” and “\(close)”", at: start)
        }
        depth -= 1
        return elements
    }

    mutating func optionalList<Element>(
        from open: Character, to close: Character,
        _ element: (inout Parser) throws(DocumentProblem) -> Element
    ) throws(DocumentProblem) -> [Element] {
        token.kind == .punctuator(open) ? try list(from: open, to: close, element) : []
    }
}

extension Parser {
    mutating func type() throws(DocumentProblem) -> TypeReference {
        var type: TypeReference
        if token.kind == .punctuator("[") {
            let inner = try list(from: "[", to: "]") { parser throws(DocumentProblem) in try parser.type() }
            guard inner.count == 1, let only = inner.first else { throw problem("expected one type in a list") }
            type = .list(only)
        } else {
            type = .named(try name("a type"))
        }
        if try take("!") { type = .nonNull(type) }
        return type
    }

    mutating func arguments() throws(DocumentProblem) -> [Argument] {
        try optionalList(from: "(", to: ")") { parser throws(DocumentProblem) in try parser.argument() }
    }

    mutating func argument() throws(DocumentProblem) -> Argument {
        let name = try name("an argument")
        try require(":")
        return Argument(name: name, value: try value())
    }

    mutating func directives() throws(DocumentProblem) -> [Directive] {
        var directives: [Directive] = []
        while try take("@") {
            directives.append(Directive(name: try name("a directive"), arguments: try arguments()))
        }
        return directives
    }

    /// Parses syntax that must not contain variables.
    mutating func constant<Part>(
        _ part: (inout Parser) throws(DocumentProblem) -> Part
    ) throws(DocumentProblem) -> Part {
        isConstant = true
        let read = try part(&self)
        isConstant = false
        return read
    }

    /// Parses the name of a variable. Its location is that of the `$`.
    mutating func variableName() throws(DocumentProblem) -> Name {
        let location = token.location
        try require("$")
        return Name(text: try name("a variable").text, location: location)
    }

    mutating func value() throws(DocumentProblem) -> Value {
        let location = token.location
        switch token.kind {
        case .punctuator("$"):
            guard !isConstant else { throw problem("expected a constant value, found a variable") }
            return .variable(try variableName())
        case .punctuator("["):
            let values = try list(from: "[", to: "]", mayBeEmpty: true) { parser throws(DocumentProblem) in
                try parser.value()
            }
            return .list(values, location)
        case .punctuator("{"):
            let members = try list(from: "{", to: "}", mayBeEmpty: true) { parser throws(DocumentProblem) in
                try parser.argument()
            }
            return .object(members, location)
        case .int, .float, .string, .name: return try scalar()
        case .punctuator, .spread, .end: throw expected("a value")
        }
    }

    private mutating func scalar() throws(DocumentProblem) -> Value {
        let token = token
        try advance()
        return switch token.kind {
        case .int: .int(token.location)
        case .float: .float(token.location)
        case .name("true"), .name("false"): .bool(token.location)
        case .name("null"): .null(token.location)
        case .name(let name): .enumeration(Name(text: name, location: token.location))
        default: .string(token.location)
        }
    }
}
