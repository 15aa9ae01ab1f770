/// One lexical token (GraphQL, section 2.1.6).
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

    /// As a message says it; the text of a string is not shown.
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

/// How much of a document is read.
struct DocumentLimits {
    let bytes: Int
    let tokens: Int
    /// How deep selections, values and types may be nested.
    let depth: Int
    let definitions: Int
}
