import Errand
import ErrandGraphQL
import Testing

private let schemaText = "type Query { hero(id: ID!): Hero } type Hero { name: String! homeworld: String }"

@Test func `the query is valid in the schema`() throws {
    let schema = try GraphQLSchema(schemaText)  // or GraphQLSchema(contentsOf: file)
    try schema.check(QueryDocument("query Hero($id: ID!) { hero(id: $id) { name homeworld } }"))
    let old = try QueryDocument("query Hero($id: ID!) { hero(id: $id) { name planet } }")
    #expect(schema.problems(in: old).map(\.message) == ["unknown field “planet” on type “Hero”"])
}
