import Errand
import ErrandGraphQL
import ErrandTesting
import Testing

@Suite struct ResponseTests {
    struct User: Decodable, Sendable, Equatable { let userName: String }
    struct Users: Decodable, Sendable, Equatable { let users: [User] }

    struct Broken: Sendable, CustomTestStringConvertible {
        let body: String
        let reason: String
        var testDescription: String { body }
    }

    static let broken: [Broken] = [
        Broken(
            body: #"{"data":{"users":[{"userName":"a"},{"userName":1}]}}"#,
            reason: "expected a String at data.users[1].userName, found a number (byte 47)"),
        Broken(body: #"{"data":{"users":null}}"#, reason: "expected an array at data.users, found null (byte 17)"),
        Broken(body: #"{"data":{}}"#, reason: "data.users is missing (object at byte 8)"),
        Broken(body: #"{"data":[]}"#, reason: "expected an object at data, found an array (byte 8)"),
        Broken(body: #"{"data":null}"#, reason: "expected an object at data, found null (byte 8)"),
        Broken(
            body: "{}", reason: "expected a GraphQL response with data or errors, found neither (byte 0)"),
        Broken(
            body: #"{"message":"Unauthorized"}"#,
            reason: "expected a GraphQL response with data or errors, found neither (byte 0)"),
        Broken(body: #"{"errors":[]}"#, reason: "data is missing (object at byte 0)"),
        Broken(
            body: #"{"errors":{"message":"m"}}"#, reason: "expected an array at errors, found an object (byte 10)"),
        Broken(body: #"{"errors":["m"]}"#, reason: "expected an object at errors[0], found a string (byte 11)"),
        Broken(
            body: #"{"data":{"users":1},"errors":[{"message":2}]}"#,
            reason: "expected a String at errors[0].message, found a number (byte 41)"),
        Broken(
            body: #"{"data":null,"errors":[{"code":"x"}]}"#,
            reason: "errors[0].message is missing (object at byte 23)"),
        Broken(body: "[]", reason: "expected a GraphQL response, found an array (byte 0)"),
        Broken(body: #""x""#, reason: "expected a GraphQL response, found a string (byte 0)"),
        Broken(body: "null", reason: "expected a GraphQL response, found null (byte 0)"),
        Broken(
            body: "<html>Sign in</html>",
            reason: #"expected a GraphQL response, found application/json that begins with "<html>Sign in</html>""#),
        Broken(body: "", reason: "expected a GraphQL response, found an empty body"),
        Broken(
            body:
                #"{"data":{"users":null},"errors":[{"message":"m","path":["users"],"extensions":{"code":"DENIED"}}]}"#,
            reason: "expected an array at data.users, found null (byte 17); the service reported DENIED at users"),
        Broken(
            body:
                #"{"data":{"users":[null]},"errors":[{"message":"m"},{"message":"m","path":["users",0,"userName"]}]}"#,
            reason: "expected an object at data.users[0], found null (byte 18); "
                + "the service reported error at users[0].userName"),
        Broken(
            body: #"{"data":{"users":[{"userName":1}],"x":null},"errors":[{"message":"m","path":["x"]}]}"#,
            reason: "expected a String at data.users[0].userName, found a number (byte 30); "
                + "the service also reported error at x"),
    ]

    @Test(arguments: broken)
    func `unexpected data is a decoding error with its coding path`(row: Broken) async throws {
        let error = await #expect(throws: ServiceError.self) { try await load(row.body) as GraphQLResponse<Users> }
        #expect(error?.code == .decoding)
        #expect(error?.reason.hasPrefix(row.reason) == true, "\(error?.reason ?? "")")
    }

    @Test func `a decoding error keeps the service's errors`() async throws {
        let body = #"{"data":{"users":null},"errors":[{"message":"m","path":["users"],"extensions":{"code":"GONE"}}]}"#
        let error = await #expect(throws: ServiceError.self) { try await load(body) as GraphQLResponse<Users> }
        #expect(error?.code == .decoding)
        #expect(error?.graphQLErrors.map(\.code) == ["GONE"])
    }

    @Test func `the error for an unsupported content coding contains its name`() async throws {
        let url = try #require(URL(string: rickAndMorty))
        let request = GraphQLRequest<NoVariables, Users>(try QueryDocument("{ users { userName } }"), at: url)
        let reply = CannedReply.json(#"{"data":{"users":[]}}"#).header("Content-Encoding", "x-secret")
        let error = await #expect(throws: ServiceError.self) {
            try await APILoader(request, session: ScriptedSession([reply])).load() as GraphQLResponse<Users>
        }
        #expect(error?.code == .decoding && error?.reason.contains("‹x-secret›") == true)
    }

    struct Complete: Sendable, CustomTestStringConvertible {
        let body: String
        var isComplete = true
        var testDescription: String { body }
    }

    @Test(arguments: [
        Complete(body: #"{"data":{"users":[]}}"#),
        Complete(body: #"{"data":{"users":[]},"errors":[]}"#),
        Complete(body: #"{"data":{"users":[]},"errors":null}"#),
        Complete(body: #"{"data":{"users":[]},"extensions":7}"#),
        Complete(body: #"{"data":{"users":[]},"hasNext":false}"#),
        Complete(body: #"{"data":{"users":[]},"hasNext":true,"pending":[{"id":"0","path":[]}]}"#, isComplete: false),
        Complete(
            body: #"{"data":{"users":[]},"incremental":[{"items":[1],"path":["a",0]}],"hasNext":true}"#,
            isComplete: false),
    ])
    func `members of incremental delivery do not break decoding`(row: Complete) async throws {
        let response: GraphQLResponse<Users> = try await load(row.body)
        #expect(response.data == Users(users: []))
        #expect(response.errors.isEmpty)
        #expect((try? response.requireComplete()) == (row.isComplete ? Users(users: []) : nil))
    }

    @Test func `null data without errors is an error for optional data`() async throws {
        await #expect(throws: ServiceError.self) { try await load(#"{"data":null}"#) as GraphQLResponse<Users?> }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let body: String
        let reason: String
        var testDescription: String { body }
    }

    static let refusals = [
        Refusal(
            body: #"{"errors":[{"message":"password hunter2 is wrong","extensions":{"code":"BAD_USER_INPUT"}}]}"#,
            reason: "the service refused the request: BAD_USER_INPUT"),
        Refusal(
            body: #"{"data":null,"errors":[{"message":"hunter2","path":["a",0,"b"]},{"message":"x"}]}"#,
            reason: "the service returned no data: 2 errors, the first: error at a[0].b"),
        Refusal(
            body: #"{"data":{"users":[]},"errors":[{"message":"hunter2","locations":[{"line":1,"column":3}]}]}"#,
            reason: "the service returned partial data: error (line 1, column 3)"),
        Refusal(
            body: #"{"errors":[{"message":"hunter2","extensions":{"code":"A\nB"}}]}"#,
            reason: "the service refused the request: A\\u{A}B"),
    ]

    @Test(arguments: refusals)
    func `requireComplete throws an error without the service's messages`(row: Refusal) async throws {
        let response: GraphQLResponse<Users> = try await load(row.body, status: 294)
        let error = try #require(throws: ServiceError.self) { try response.requireComplete() }
        #expect(error.code == .graphQL)
        #expect(error.reason == row.reason)
        #expect(error.status == 294)
        var dumped = ""
        dump(error, to: &dumped)
        dump(error.graphQLErrors, to: &dumped)
        let shown = "\(error) \(error.localizedDescription) \(error.graphQLErrors) \(response.outcome) \(dumped)"
        #expect(!shown.contains("hunter2"))
    }

    @Test func `requireData returns partial data`() async throws {
        let partial: GraphQLResponse<Users> = try await load(Self.refusals[2].body)
        #expect(try partial.requireData() == Users(users: []))
        let none: GraphQLResponse<Users> = try await load(Self.refusals[1].body)
        #expect(throws: ServiceError.self) { try none.requireData() }
    }

    @Test func `missing or invalid members of an error are nil`() throws {
        let text = #"""
            [{"message":"a"}, {"message":"b","path":["x",2],"locations":[{"line":3,"column":7}],"extensions":{"code":404}},
            {"message":"c","path":"x","locations":7,"extensions":[]}, {"message":"d","path":null,"extensions":{"n":[1.5]}}]
            """#
        let errors = try JSONDecoder().decode([GraphQLError].self, from: Data(text.utf8))
        #expect(errors.map(\.message) == ["a", "b", "c", "d"])
        #expect(errors.map(\.path) == [nil, [.field("x"), .index(2)], nil, nil])
        #expect(errors.map(\.locations) == [nil, [GraphQLLocation(line: 3, column: 7)], nil, nil])
        #expect(errors.map(\.code) == [nil, "404", nil, nil])
        #expect(errors[3].extensions?["n"]?.list == [1.5])
    }

    @Test func `snake case keys are decoded by the snake case decoder`() async throws {
        let body = #"{"data":{"users":[{"user_name":"a"}]},"extensions":{"query_cost":3}}"#
        let url = try #require(URL(string: rickAndMorty))
        let document = try QueryDocument("{ users { user_name } }")
        let request = GraphQLRequest<NoVariables, Users>(document, at: url, decoder: .snakeCase)
        let response = try await APILoader(request, session: ScriptedSession([.json(body)])).load()
        #expect(response.data?.users.first?.userName == "a")
        #expect(response.extensions?["query_cost"]?.int == 3)
    }

    struct Cents: Codable, Sendable, Equatable {
        let cents: Int

        init(cents: Int) { self.cents = cents }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard let euros = Double(try container.decode(String.self)), euros.magnitude < 1e9 else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an amount")
            }
            cents = Int((euros * 100).rounded())
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("\(cents / 100).\(cents % 100)")
        }
    }

    @Test func `a custom scalar is encoded and decoded as a custom type`() async throws {
        struct Price: Decodable, Sendable { let price: Cents, since: Date }
        let session = ScriptedSession([.json(#"{"data":{"price":"12.50","since":"2024-05-06T07:08:09Z"}}"#)])
        let url = try #require(URL(string: rickAndMorty))
        let document = try QueryDocument("query($least: Money) { price(least: $least) since }")
        let request = GraphQLRequest<GraphQLVariables, Price>(document, at: url)
        let response = try await APILoader(request, session: session).load(["least": Cents(cents: 125)])
        #expect(response.data?.price == Cents(cents: 1_250))
        #expect(response.data?.since == Date(timeIntervalSince1970: 1_714_979_289))
        #expect(try #require(session.recorded.first?.body.data).contains(Data(#"{"least":"1.25"}"#.utf8)))
    }

    private func load<Model: Decodable & Sendable>(_ body: String, status: Int = 200) async throws -> GraphQLResponse<
        Model
    > {
        let url = try #require(URL(string: rickAndMorty))
        let request = GraphQLRequest<NoVariables, Model>(try QueryDocument("{ users { userName } }"), at: url)
        return try await APILoader(request, session: ScriptedSession([.json(body, status: status)])).load()
    }
}

extension Data {
    fileprivate func contains(_ other: Data) -> Bool { range(of: other) != nil }
}
