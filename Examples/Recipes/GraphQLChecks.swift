import Errand
import ErrandGraphQL
import Testing

private let schemaText = "type Query { hero(id: ID!): Hero } type Hero { name: String! homeworld: String }"

@Test func `the query fits the service's schema`() throws {
    let schema = try GraphQLSchema(schemaText)  // or GraphQLSchema(contentsOf: file)
    try schema.check(QueryDocument("query Hero($id: ID!) { hero(id: $id) { name homeworld } }"))
    let old = try QueryDocument("query Hero($id: ID!) { hero(id: $id) { name planet } }")
    #expect(schema.problems(in: old).map(\.message) == ["there is no field “planet” on “Hero”"])
}
