/// A lexical token (GraphQL, section 2.1.6).
struct Token {
    enum Kind: Equatable {
        case punctuator(Character)
        case spread
        case name(String)
        case int
        case float
        case string
        case end
    }

    let kind: Kind
    let location: GraphQLLocation

    /// The token in error messages, which never contain the value of a string.
    var text: String {
        switch kind {
        case .punctuator(let character): "“\(character)”"
        case .spread: "“...”"
        case .name(let name): "“\(name.prefix(64))”"
        case .int, .float: "a number"
        case .string: "a string"
        case .end: "the end"
        }
    }
}

/// The limits on the size of a document or a schema.
struct DocumentLimits {
    let bytes: Int
    let tokens: Int
    /// The maximum nesting of selections, values and types.
    let depth: Int
    let definitions: Int
}
