import Errand
import ErrandGraphQL
import ErrandTesting
import Testing

@Suite struct BatchTests {
    struct Name: Decodable, Sendable, Equatable { let name: String }
    struct Count: Decodable, Sendable, Equatable { let itemCount: Int }

    private func requests(
        _ second: String = "{ item_count }", at other: String = rickAndMorty, method: HTTPMethod = .post
    ) throws -> (GraphQLRequest<GraphQLVariables, Name>, GraphQLRequest<NoVariables, Count>) {
        let url = try #require(URL(string: rickAndMorty))
        let document = try QueryDocument("query N($a: Int) { name(a: $a) }")
        let first = GraphQLRequest<GraphQLVariables, Name>(document, at: url, method: method)
        let target = try #require(URL(string: other))
        return (first, GraphQLRequest(try QueryDocument(second), at: target, method: method, decoder: .snakeCase))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `each query of a batch has its own response`() async throws {
        let session = ScriptedSession([
            .json(#" [{"data":{"name":"a]"}}, {"data":{"item_count":3},"extensions":{"x":[]}}] "#)
        ])
        let (first, second) = try requests()
        let batch = GraphQLBatch(first, second)
        let (name, count) = try await APILoader(batch, session: session).load(["a": 1], NoVariables())
        #expect(name.data == Name(name: "a]"))
        #expect(try count.requireComplete() == Count(itemCount: 3))
        let sent = try #require(session.recorded.first)
        let body = #"[{"operationName":"N","query":"query N($a: Int) { name(a: $a) }","variables":{"a":1}},"#
        #expect(String(decoding: sent.body.data ?? Data(), as: UTF8.self) == body + #"{"query":"{ item_count }"}]"#)
        #expect(sent.method == .post && sent.options.idempotency == .always)
        #expect(sent.headers["Accept"]?.hasPrefix("application/graphql-response+json") == true)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a failed query does not affect the other`() async throws {
        let body = #"[{"errors":[{"message":"m"}]},{"data":{"item_count":3}}]"#
        let (first, second) = try requests()
        let loader = APILoader(GraphQLBatch(first, second), session: ScriptedSession([.json(body)]))
        let (name, count) = try await loader.load([:], NoVariables())
        #expect(name.outcome == .requestError([GraphQLError(message: "m")]))
        #expect(count.data == Count(itemCount: 3))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let body: String, status: Int, code: ServiceError.Code, reason: String
        var testDescription: String { "\(status) \(body)" }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test(arguments: [
        Row(body: #"[{"data":{"name":"a"}}]"#, status: 200, code: .decoding, reason: "expected 2 responses, found 1"),
        Row(body: "[]", status: 200, code: .decoding, reason: "expected 2 responses, found 0"),
        Row(body: "[{},{},{}]", status: 200, code: .decoding, reason: "expected 2 responses, found more"),
        Row(
            body: "[{},{},{},{},{}]", status: 200, code: .decoding,
            reason: "expected a GraphQL response, found an array"),
        Row(
            body: #"[{"data":{"name":"a"}},{"data":{}}]"#, status: 200, code: .decoding,
            reason: "response 2 of 2: data.itemCount is missing"),
        Row(body: #"{"errors":[{"message":"m"}]}"#, status: 400, code: .graphQL, reason: "the service refused"),
        Row(
            body: #"{"data":{"name":"a"}}"#, status: 200, code: .decoding,
            reason: "expected an array of 2 responses, found a single response"),
        Row(body: "<html>", status: 502, code: .status, reason: "the server responded with status 502"),
        Row(body: "[{},{}", status: 200, code: .decoding, reason: "the body is not valid JSON"),
        Row(body: "", status: 200, code: .decoding, reason: "expected a GraphQL response, found an empty body"),
    ])
    func `a response that does not match the batch is an error`(row: Row) async throws {
        let (first, second) = try requests()
        let session = ScriptedSession([.json(row.body, status: row.status)])
        let error = await #expect(throws: ServiceError.self) {
            try await APILoader(GraphQLBatch(first, second), session: session).load([:], NoVariables())
        }
        #expect(error?.code == row.code)
        #expect(error?.reason.hasPrefix(row.reason) == true, "\(error?.reason ?? "")")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `queries that cannot share a request are an error`() throws {
        var other = try requests()
        other.1.headers = ["X-Tenant": "2"]
        let batches = [
            try requests("mutation { item_count }"), try requests(at: "https://other.test/graphql"),
            try requests(method: .get), other,
        ]
        for (first, second) in batches {
            let batch = GraphQLBatch(first, second)
            let error = #expect(throws: ServiceError.self) {
                try batch.makeRequest(from: (GraphQLVariables(), NoVariables()))
            }
            #expect(error?.code == .encoding)
        }
    }
}
