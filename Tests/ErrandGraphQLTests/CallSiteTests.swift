import Errand
import ErrandGraphQL
import ErrandTesting
import Testing

struct CharactersVariables: Encodable, Sendable {
    struct Filter: Encodable, Sendable { var name: String?, gender: String? }

    var filter = Filter()
    var page: Int?
}

struct Characters: Decodable, Sendable, Equatable {
    struct List: Decodable, Sendable, Equatable { let info: Info, results: [Character] }
    struct Info: Decodable, Sendable, Equatable { let next: Int? }
    struct Character: Decodable, Sendable, Equatable { let id: String, name: String? }

    let characters: List
}

let charactersQuery = """
    query Characters($filter: FilterCharacter, $page: Int) {
      characters(filter: $filter, page: $page) { info { next } results { id name } }
    }
    """

let rickAndMorty = "https://morty.test/graphql"

/// Typical calls of an application.
@Suite struct CallSiteTests {
    private let page = #"{"data":{"characters":{"info":{"next":2},"results":[{"id":"1","name":"Rick"}]}}}"#

    @Test func `a page of characters loads`() async throws {
        let session = ScriptedSession([.json(page)])
        let url = try #require(URL(string: rickAndMorty))

        let document = try QueryDocument(charactersQuery)
        let request = GraphQLRequest<CharactersVariables, Characters>(document, at: url)
        let response = try await APILoader(request, session: session).load(
            CharactersVariables(filter: .init(name: "Rick"), page: 1))
        let characters = try response.requireComplete()

        #expect(characters.characters.results.map(\.name) == ["Rick"])
        try session.verify()
    }

    @Test func `variables can be a dictionary of mixed values`() async throws {
        let session = ScriptedSession([.json(#"{"data":{"bankSearch":[{"shortName":"N26","bankCode":"1"}]}}"#)])
        let url = try #require(URL(string: "https://bank.test/graphql"))
        let document = try QueryDocument(
            "query bankSearch($search: String!, $limit: Int) { bankSearch(search: $search, limit: $limit) { shortName } }"
        )
        struct Bank: Decodable, Sendable { let shortName: String, bic: String? }
        struct BankSearchPage: Decodable, Sendable { let bankSearch: [Bank] }
        let (searchQuery, limit) = ("N26", 20)

        let variables: GraphQLVariables = [
            "search": searchQuery,
            "limit": limit,
        ]
        let search = GraphQLRequest<GraphQLVariables, BankSearchPage>(document, at: url)
        let page = try await APILoader(search, session: session).load(variables).requireComplete()

        #expect(page.bankSearch.map(\.bic) == [nil])
        let body = try #require(session.recorded.first?.body.data)
        #expect(String(decoding: body, as: UTF8.self).hasSuffix(#""variables":{"limit":20,"search":"N26"}}"#))
    }

    @Test func `an operation without variables loads without input`() async throws {
        let session = ScriptedSession([.json(#"{"data":{"version":"7"}}"#)])
        let url = try #require(URL(string: rickAndMorty))
        struct Version: Decodable, Sendable { let version: String }

        let request = GraphQLRequest<NoVariables, Version>(try QueryDocument("{ version }"), at: url)
        let version = try await APILoader(request, session: session).load().requireComplete()

        #expect(version.version == "7")
    }

    @Test func `partial data is returned with its errors`() async throws {
        let partial = #"{"data":{"characters":{"info":{"next":null},"results":[]}},"#
        let errors =
            #""errors":[{"message":"too slow","path":["characters","results",3],"extensions":{"code":"SLOW"}}]}"#
        let session = ScriptedSession([.json(partial + errors)])
        let url = try #require(URL(string: rickAndMorty))
        let request = GraphQLRequest<CharactersVariables, Characters>(try QueryDocument(charactersQuery), at: url)

        let response = try await APILoader(request, session: session).load(CharactersVariables())

        switch response.outcome {
        case .data: Issue.record("expected partial data, found data without errors")
        case .partial(let characters, let errors):
            #expect(characters?.characters.results.isEmpty == true)
            #expect(errors.map(\.code) == ["SLOW"])
            #expect(errors.first?.path == ["characters", "results", 3])
        case .requestError: Issue.record("expected partial data, found a request error")
        }
        let error = #expect(throws: ServiceError.self) { try response.requireComplete() }
        #expect(error?.code == .graphQL)
        #expect(error?.graphQLErrors.first?.message == "too slow")
    }

    @Test(arguments: [
        #"{"data":{"characters":null},"errors":[{"message":"404","path":["characters"]}]}"#,
        #"{"data":{"characters":{"info":{"next":null},"results":[]}},"errors":[{"message":"404"}]}"#,
        #"{"errors":[{"message":"404"}]}"#, #"{"data":null,"errors":[{"message":"404"}]}"#,
    ])
    func `a request for complete data fails with the service's errors`(response: String) async throws {
        let url = try #require(URL(string: rickAndMorty))
        let request = GraphQLRequest<CharactersVariables, Characters>(try QueryDocument(charactersQuery), at: url)
        let endpoint = Endpoint<GraphQLPage<Characters>>(method: .post, path: "graphql")
        let client = APIClient(
            environment: CustomEnvironment<APIPath>(name: "test", baseURL: "https://morty.test"),
            session: ScriptedSession([.json(response)]))
        let loader = APILoader(request.complete(), session: ScriptedSession([.json(response)]))
        let errors = [
            await #expect(throws: ServiceError.self) { try await loader.load(CharactersVariables()) },
            await #expect(throws: ServiceError.self) { try await client.request(endpoint) },
        ]
        #expect(errors.map { $0?.code } == [.graphQL, .graphQL])
        #expect(errors.map { $0?.graphQLErrors.map(\.message) } == [["404"], ["404"]])
        #expect(errors.map { $0?.status } == [200, 200])
        let hasData = response.contains(#"{"data":{"#)
        #expect(errors.allSatisfy { $0?.reason.contains("partial data") == hasData }, "\(errors)")
    }

    @Test func `any handler can decode a GraphQL page`() async throws {
        let session = ScriptedSession([.json(page)])
        let client = APIClient(
            environment: CustomEnvironment<APIPath>(name: "test", baseURL: "https://morty.test"), session: session)
        let endpoint = Endpoint<GraphQLPage<Characters>>(
            method: .post, path: "graphql", parameters: ["query": charactersQuery])

        let characters = try await client.request(endpoint).data

        #expect(characters.characters.info.next == 2)
    }
}
