import Errand
import ErrandGraphQL
import ErrandTesting
import Testing

@Suite struct RequestTests {
    struct Nothing: Decodable, Sendable {}

    private func request<Variables>(
        _ document: String, _ variables: Variables, method: HTTPMethod = .post, at text: String = rickAndMorty,
        change: (inout GraphQLRequest<Variables, Nothing>) -> Void = { _ in }
    ) throws -> APIRequest {
        let url = try #require(URL(string: text))
        var request = GraphQLRequest<Variables, Nothing>(try QueryDocument(document), at: url, method: method)
        change(&request)
        return try APIRequest(request.makeRequest(from: variables), options: request.options(for: variables))
    }

    @Test func `a request is a POST of JSON that accepts both media types`() throws {
        let request = try request("query Q($a: Int) { x(a: $a) }", ["a": 1] as GraphQLVariables)
        #expect(request.method == .post)
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(request.headers["Accept"] == "application/graphql-response+json, application/json;q=0.9")
        let body = #"{"operationName":"Q","query":"query Q($a: Int) { x(a: $a) }","variables":{"a":1}}"#
        #expect(text(request) == body)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let variables: GraphQLVariables
        let json: String
        var testDescription: String { json }
    }

    @Test(arguments: [
        Row(variables: [:], json: "{}"),
        Row(variables: ["s": "a\"b", "b": true, "n": nil, "f": 1.5], json: #"{"b":true,"f":1.5,"n":null,"s":"a\"b"}"#),
        Row(variables: ["list": ["a", "b"], "map": ["x": 1]], json: #"{"list":["a","b"],"map":{"x":1}}"#),
        Row(
            variables: ["filter": ["name": "M", "page": 1, "tags": [nil, 2.5, false]] as GraphQLValue],
            json: #"{"filter":{"name":"M","page":1,"tags":[null,2.5,false]}}"#),
        Row(variables: ["none": String?.none, "some": Int?.some(7)], json: #"{"none":null,"some":7}"#),
        Row(variables: ["day": Date(timeIntervalSince1970: 0)], json: #"{"day":"1970-01-01T00:00:00Z"}"#),
        Row(
            variables: ["of": GraphQLVariables(["a": URL(string: "https://a.test/b")])],
            json: #"{"of":{"a":"https://a.test/b"}}"#),
    ])
    func `variables are encoded as JSON of mixed values`(row: Row) throws {
        #expect(String(decoding: try JSONEncoder.errand.encode(row.variables), as: UTF8.self) == row.json)
    }

    @Test func `snake case changes only the keys of custom types`() throws {
        struct Page: Encodable, Sendable { let pageSize = 3 }
        let request = try request(
            "query Q($firstPage: P) { x(p: $firstPage) }", ["firstPage": Page()] as GraphQLVariables
        ) {
            $0.encoder = .snakeCase
            $0.extensions = ["traceId": 1]
        }
        #expect(text(request).hasPrefix(#"{"extensions":{"traceId":1},"operationName":"Q","#))
        #expect(text(request).hasSuffix(#""variables":{"firstPage":{"page_size":3}}}"#))
    }

    @Test func `unused parameters are omitted`() throws {
        #expect(text(try request("{ x }", NoVariables())) == #"{"query":"{ x }"}"#)
        #expect(try request("{ x }", NoVariables(), method: .get).queryItems.map(\.name) == ["query"])
    }

    @Test func `a query by GET has its parameters in the URL`() throws {
        let request = try request(
            "query Q($id: ID!) { user(id: $id) { name } }", ["id": "a&b+c ü"] as GraphQLVariables, method: .get,
            at: "https://morty.test/graphql?tenant=3"
        ) { $0.extensions = ["a": 1] }
        #expect(request.method == .get && request.body == .none)
        #expect(request.headers["Content-Type"] == nil)
        #expect(
            request.queryItems == [
                URLQueryItem(name: "tenant", value: "3"),
                URLQueryItem(name: "query", value: "query Q($id: ID!) { user(id: $id) { name } }"),
                URLQueryItem(name: "operationName", value: "Q"),
                URLQueryItem(name: "variables", value: #"{"id":"a&b+c ü"}"#),
                URLQueryItem(name: "extensions", value: #"{"a":1}"#),
            ])
        #expect(request.description.contains("operationName=Q") && !request.description.contains("name%20"))
        let query = try #require(request.url?.query(percentEncoded: true))
        #expect(query.hasSuffix("variables=%7B%22id%22%3A%22a%26b%2Bc%20%C3%BC%22%7D&extensions=%7B%22a%22%3A1%7D"))
        #expect(!request.description.contains("ü") && !request.description.contains("%C3%BC"))
    }

    @Test(arguments: [
        ("mutation { x }", HTTPMethod.get, "found GET"), ("subscription { x }", .post, "subscription"),
        ("subscription { x }", .get, "subscription"), ("{ x }", .put, "POST or GET"),
    ])
    func `an unsupported operation or method is never sent`(document: String, method: HTTPMethod, reason: String)
        async throws
    {
        let url = try #require(URL(string: rickAndMorty))
        let session = ScriptedSession([])
        let request = GraphQLRequest<NoVariables, Nothing>(try QueryDocument(document), at: url, method: method)
        let error = await #expect(throws: ServiceError.self) { try await APILoader(request, session: session).load() }
        #expect(error?.code == .encoding)
        #expect(error?.reason.contains(reason) == true)
        #expect(session.recorded.isEmpty)
    }

    @Test func `the selected operation determines the allowed methods`() throws {
        let text = "query Q { x } mutation M { x }"
        let url = try #require(URL(string: rickAndMorty))
        let query = try QueryDocument(text, operation: "Q")
        var request = GraphQLRequest<NoVariables, Nothing>(query, at: url, method: .get)
        #expect(throws: Never.self) { try request.makeRequest(from: NoVariables()) }
        request.document = try query.choosing(operation: "M")
        #expect(throws: ServiceError.self) { try request.makeRequest(from: NoVariables()) }
    }

    @Test func `a query is repeatable but a mutation is not`() throws {
        #expect(try request("{ x }", NoVariables()).options.idempotency == .always)
        #expect(try request("mutation { x }", NoVariables()).options.idempotency == .byMethod)
        let never = try request("{ x }", NoVariables()) { $0.options.idempotency = .never }
        #expect(never.options.idempotency == .never)
    }

    @Test func `descriptions do not contain the values of variables`() throws {
        let variables: GraphQLVariables = ["login": "hunter2"]
        let url = try #require(URL(string: rickAndMorty))
        let document = try QueryDocument("mutation M($login: String) { x(l: $login) }")
        let request = GraphQLRequest<GraphQLVariables, Nothing>(document, at: url)
        var shown = "\(variables) \(request.body(for: variables))"
        dump(variables, to: &shown)
        dump(request.body(for: variables), to: &shown)
        #expect(!shown.contains("hunter2"))
        #expect(variables.description == #"variables ["login"]"#)
    }

    @Test func `values with too many levels of nesting are an error`() throws {
        let deep = (0..<200).reduce(GraphQLValue.null) { value, _ in [value] }
        #expect(throws: EncodingError.self) { try JSONEncoder.errand.encode(deep) }
        let text = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(GraphQLValue.self, from: Data(text.utf8)) }
    }

    @Test func `a value is unchanged by encoding and decoding`() throws {
        let value: GraphQLValue = ["a": [1, 2.5, "x", true, nil, [:], []], "b_c": -9_007_199_254_740_993]
        let data = try JSONEncoder.errand.encode(value)
        #expect(try JSONDecoder().decode(GraphQLValue.self, from: data) == value)
        #expect(try JSONDecoder.snakeCase.decode(GraphQLValue.self, from: data) == value)
        #expect(value["b_c"]?.int == -9_007_199_254_740_993 && value["a"]?.list?.first?.int == 1)
    }

    private func text(_ request: APIRequest) -> String { String(decoding: request.body.data ?? Data(), as: UTF8.self) }
}
