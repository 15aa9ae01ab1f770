import Errand
import ErrandGraphQL
import ErrandTesting
import Testing

@Suite struct GraphQLRecipeTests {
    @Test func `a GraphQL query returns its data or throws its errors`() async throws {
        let url = try #require(URL(string: "https://heroes.example/graphql"))
        let session = ScriptedSession([
            .json(#"{"data":{"hero":{"name":"Leia","homeworld":"Alderaan"}}}"#),
            .json(#"{"data":{"hero":{"name":"Leia"}},"errors":[{"message":"no planet","path":["hero","homeworld"]}]}"#),
        ])
        #expect(try await hero("5", at: url, over: session).homeworld == "Alderaan")
        let error = await #expect(throws: ServiceError.self) { try await hero("5", at: url, over: session) }
        #expect(error?.code == .graphQL && error?.graphQLErrors.first?.path == ["hero", "homeworld"])
    }

    @Test func `a mutation has three outcomes`() async throws {
        let url = try #require(URL(string: "https://heroes.example/graphql"))
        let session = ScriptedSession([
            .json(#"{"data":{"rename":{"name":"Ben"}}}"#),
            .json(#"{"data":{"rename":{"name":"Ben"}},"errors":[{"message":"m","path":["rename","homeworld"]}]}"#),
            .json(#"{"errors":[{"message":"m","extensions":{"code":"FORBIDDEN"}}]}"#, status: 403),
        ])
        var ends: [String] = []
        for _ in 1...3 { ends.append(try await rename("Obi-Wan", to: "Ben", at: url, over: session)) }
        #expect(ends == ["Ben", "Ben (errors: 1)", #"refused: ["FORBIDDEN"]"#])
        let body = String(decoding: session.recorded.first?.body.data ?? Data(), as: UTF8.self)
        #expect(body.hasSuffix(#""variables":{"input":{"hero":"Obi-Wan","name":"Ben"}}}"#))
    }

    @Test func `a GraphQL connection is loaded to its last page`() async throws {
        let url = try #require(URL(string: "https://git.example/graphql"))
        func part(_ title: String, _ info: String) -> CannedReply {
            .json(#"{"data":{"issues":{"nodes":[{"title":"\#(title)"}],"pageInfo":{\#(info)}}}}"#)
        }
        let session = ScriptedSession([
            part("a", #""hasNextPage":true,"endCursor":"A""#), part("b", #""hasNextPage":false"#),
        ])
        #expect(try await titles(at: url, over: session) == ["a", "b"])
        let bodies = session.recorded.map { String(decoding: $0.body.data ?? Data(), as: UTF8.self) }
        #expect(bodies.map { $0.contains(#""cursor":"A""#) } == [false, true])
    }
}
