import Errand
import ErrandGraphQL
import TestSupport
import Testing

let charactersSchema = """
    \"\"\"
    The shape of the public Rick and Morty schema.
    \"\"\"
    type Query {
      "One character"
      character(id: ID!): Character
      characters(page: Int, filter: FilterCharacter): Characters
      search(words: [String!]!, limit: Int! = 20, kind: Kind): [Result!]!
      node(id: ID!): Node
      at(when: Date): Date
    }
    type Mutation { rename(id: ID!, name: String!): Character }
    input FilterCharacter { name: String, status: String = "alive", species: [Kind!], near: Place }
    input Place { x: Float!, y: Float! = 0.0 }
    enum Kind { HUMAN ALIEN @deprecated(reason: "gone") }
    interface Node { id: ID! }
    type Character implements Node { id: ID! name(short: Boolean): String friends: [Character] }
    extend type Character { episode: [Episode!]! }
    type Episode implements & Node @key(fields: "id") { id: ID!, air_date: Date }
    union Result = | Character | Episode
    type Characters { info: Info results: [Character] }
    type Info { count: Int next: Int }
    scalar Date @specifiedBy(url: "https://a.test")
    directive @key(fields: String!) repeatable on OBJECT | INTERFACE
    directive @cached(for: Int!) on FIELD
    """

@Suite struct SchemaTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let problems: [String]
        var testDescription: String { text }

        init(_ text: String, _ problems: String...) { (self.text, self.problems) = (text, problems) }
    }

    static let valid = [
        "{ character(id: 1) { id name friends { friends { name(short: true) } } } }",
        "query Q($page: Int, $filter: FilterCharacter) { characters(page: $page, filter: $filter) { info { next } } }",
        "query Q($id: ID!) { character(id: $id) { ...F } } fragment F on Character { __typename episode { air_date } }",
        "{ search(words: [\"a\"]) { __typename ... on Character { name } ... on Episode { id } } }",
        "{ search(words: \"a\", kind: HUMAN, limit: 1) { __typename } }",
        "mutation { rename(id: \"1\", name: \"b\") { id } }",
        "query Q($n: Int = 3) { search(words: [], limit: $n) { __typename } }",
        "query Q($n: Int) { search(words: [], limit: $n) { __typename } }",
        "query Q($w: [String!]!) { search(words: $w) { __typename } }",
        "query Q($w: String!, $s: Boolean!) { search(words: [$w]) { ... @skip(if: $s) { __typename } } }",
        "{ characters(filter: {name: null, species: [ALIEN], near: {x: 1}}) { info { count } } }",
        "{ at(when: {any: [1, $x]}) }".replacingOccurrences(of: "$x", with: "2"),
        "{ __schema { types { name } } a: __typename }",
        "{ ...F } fragment F on Query { __type(name: \"A\") { name } }",
        "{ node(id: 1) { id ... on Character { name } } }", "{ at @cached(for: 3) }",
    ]

    @Test(arguments: valid)
    func `a document that matches the schema has no problems`(text: String) throws {
        let document = try QueryDocument(text)
        let schema = try GraphQLSchema(charactersSchema)
        #expect(schema.problems(in: document).map(\.description) == [])
        #expect(throws: Never.self) { try schema.check(document) }
    }

    static let broken = [
        Row("{\n  character(id: 1) {\n    nme\n  }\n}", "line 3, column 5: unknown field “nme” on type “Character”"),
        Row("{ charakter { x { y } } }", "line 1, column 3: unknown field “charakter” on type “Query”"),
        Row("{ character(id: 1, x: 2) { id } }", "line 1, column 20: the field “character” has no argument “x”"),
        Row("{ character { id } }", "line 1, column 3: the field “character” requires the argument “id”"),
        Row("{ character(id: 1, id: 2) { id } }", "line 1, column 20: duplicate argument “id”"),
        Row("{ character(id: null) { id } }", "line 1, column 17: expected ID!, found null"),
        Row("{ character(id: 1.5) { id } }", "line 1, column 17: expected ID, found a number"),
        Row(
            "{ character(id: 1) }",
            "line 1, column 3: the field “character” of type Character requires a selection set"),
        Row("{ at { x } }", "line 1, column 3: the field “at” of type Date accepts no selection set"),
        Row("mutation { remove(id: 1) { id } }", "line 1, column 12: unknown field “remove” on type “Mutation”"),
        Row("subscription { x }", "line 1, column 1: the schema has no subscription type"),
        Row("{ node(id: 1) { name } }", "line 1, column 17: unknown field “name” on type “Node”"),
        Row("{ search(words: []) { id } }", "line 1, column 23: unknown field “id” on type “Result”"),
        Row("{ node(id: 1) { ... on Person { id } } }", "line 1, column 24: unknown type “Person”"),
        Row(
            "{ node(id: 1) { ... on Date { id } } }",
            "line 1, column 24: expected an object, interface or union type, found “Date”"),
        Row(
            "{ node(id: 1) { ...F } } fragment F on Episode { air }",
            "line 1, column 50: unknown field “air” on type “Episode”"),
        Row("{ at } fragment F on Info { next }", "line 1, column 17: unused fragment “F”"),
        Row("query Q($a: Filter) { at(when: $a) }", "line 1, column 13: unknown type “Filter”"),
        Row(
            "query Q($a: Info) { at(when: $a) }",
            "line 1, column 13: expected an input type, found “Info”",
            "line 1, column 30: expected Date, found “$a” of type Info"),
        Row("query Q($a: ID) { character(id: $a) { id } }", "line 1, column 33: expected ID!, found “$a” of type ID"),
        Row(
            "query Q($a: String!) { character(id: $a) { id } }",
            "line 1, column 38: expected ID!, found “$a” of type String!"),
        Row(
            "query Q($a: [String]!) { search(words: $a) { __typename } }",
            "line 1, column 40: expected [String!]!, found “$a” of type [String]!"),
        Row(
            "query Q($a: Int = null) { search(words: [], limit: 1) { __typename } at(when: $a) }",
            "line 1, column 79: expected Date, found “$a” of type Int"),
        Row(
            "query Q($a: Int, $b: Int) { characters(page: $a) { info { next } } }",
            "line 1, column 18: unused variable “$b”"),
        Row(
            "query Q($a: Int) { ...F } fragment F on Query { character(id: $a) { id } }",
            "line 1, column 63: expected ID!, found “$a” of type Int"),
        Row(
            "query Q($a: Int = \"x\") { characters(page: $a) { info { next } } }",
            "line 1, column 19: expected Int, found a string"),
        Row(
            "{ search(words: [], kind: ROBOT) { __typename } }",
            "line 1, column 27: the enum “Kind” has no value “ROBOT”"),
        Row(
            "{ search(words: [], kind: \"HUMAN\") { __typename } }",
            "line 1, column 27: expected Kind, found a string"),
        Row("{ search(words: [1]) { __typename } }", "line 1, column 18: expected String, found an integer"),
        Row(
            "{ characters(filter: {nme: 1}) { info { next } } }",
            "line 1, column 23: the input “FilterCharacter” has no field “nme”"),
        Row(
            "{ characters(filter: {near: {y: 1}}) { info { next } } }",
            "line 1, column 29: the input “Place” requires the field “x”"),
        Row(
            "{ characters(filter: HUMAN) { info { next } } }",
            "line 1, column 22: expected FilterCharacter, found an enum value"),
        Row("{ at @cache }", "line 1, column 7: unknown directive “@cache”"),
        Row("{ at @cached }", "line 1, column 7: the directive “@cached” requires the argument “for”"),
        Row(
            "{ at @skip(iff: true) }",
            "line 1, column 7: the directive “@skip” requires the argument “if”",
            "line 1, column 12: the directive “@skip” has no argument “iff”"),
        Row(
            "{ a b c }",
            "line 1, column 3: unknown field “a” on type “Query”",
            "line 1, column 5: unknown field “b” on type “Query”",
            "line 1, column 7: unknown field “c” on type “Query”"),
    ]

    @Test(arguments: broken)
    func `a problem has its location and message`(row: Row) throws {
        let document = try QueryDocument(row.text)
        let schema = try GraphQLSchema(charactersSchema)
        #expect(schema.problems(in: document).map(\.description) == row.problems)
        let error = #expect(throws: ServiceError.self) { try schema.check(document) }
        #expect(error?.code == .configuration)
        #expect(error?.reason.hasSuffix(row.problems.joined(separator: "; ")) == true)
    }

    @Test func `at most 100 problems are reported`() throws {
        let document = try QueryDocument("{ " + (0..<500).map { "x\($0) " }.joined() + "}")
        let schema = try GraphQLSchema(charactersSchema)
        #expect(schema.problems(in: document).count == 100)
        let error = #expect(throws: ServiceError.self) { try schema.check(document) }
        #expect(error?.reason.hasSuffix("; and 92 more") == true)
    }

    @Test(arguments: [
        ("type Query { a }", "line 1, column 16: expected “:”, found “}”"),
        ("type A { a: Int } type A { b: Int }", "line 1, column 24: duplicate type “A”"),
        ("type Query { a: Int", "line 1, column 20: the “{” at line 1, column 12 is not closed"),
        ("query { a }", "line 1, column 1: expected a definition, found “query”"),
        ("schema { read: A }", "line 1, column 10: expected query, mutation or subscription"),
        ("directive @a FIELD", "line 1, column 14: expected “on”, found “FIELD”"),
        ("enum E { }", "line 1, column 8: expected an element between “{” and “}”"),
        ("{ a }", "line 1, column 1: expected a definition, found “{”"),
    ])
    func `an invalid schema is an error with its location`(text: String, reason: String) {
        let error = #expect(throws: ServiceError.self) { try GraphQLSchema(text) }
        #expect(error?.reason == reason)
        #expect(error?.code == .configuration)
    }

    @Test func `root types can have other names`() throws {
        let schema = try GraphQLSchema(
            "schema @a { query: Root } extend schema { mutation: Change } type Root { a: Int } type Change { b: Int } type Query { c: Int }"
        )
        #expect(schema.problems(in: try QueryDocument("{ a }")).isEmpty)
        #expect(schema.problems(in: try QueryDocument("mutation { b }")).isEmpty)
        #expect(schema.problems(in: try QueryDocument("{ c }")).count == 1)
    }
}
