import Errand
import ErrandGraphQL
import ErrandTesting
import Testing

/// Lists with cursors or with page numbers.
@Suite struct ConnectionPagingTests {
    struct Variables: Encodable, Sendable, Equatable { var first = 2, cursor: String? }
    struct Issue: Decodable, Sendable, Equatable { let title: String }
    struct Issues: GraphQLConnection { let nodes: [Issue], pageInfo: GraphQLPageInfo }
    struct Repository: Decodable, Sendable { let issues: Issues }
    struct RepositoryData: Decodable, Sendable { let repository: Repository? }

    private let request: GraphQLRequest<Variables, RepositoryData>

    init() throws {
        let document = try QueryDocument(
            """
            query Issues($first: Int!, $cursor: String) {
              repository(name: "errand") { issues(first: $first, after: $cursor) {
                nodes { title } pageInfo { hasNextPage endCursor }
              } }
            }
            """)
        request = GraphQLRequest(document, at: try #require(URL(string: "https://git.test/graphql")))
    }

    private func part(_ titles: [String], hasNext: Bool, cursor: String?) -> String {
        let nodes = titles.map { #"{"title":"\#($0)"}"# }.joined(separator: ",")
        let end = cursor.map { #""\#($0)""# } ?? "null"
        let info = #"{"hasNextPage":\#(hasNext),"endCursor":\#(end)}"#
        return #"{"data":{"repository":{"issues":{"nodes":[\#(nodes)],"pageInfo":\#(info)}}}}"#
    }

    private func cursors(_ session: ScriptedSession) throws -> [String?] {
        struct Sent: Decodable { struct Variables: Decodable { let cursor: String? }; let variables: Variables }
        return try session.recorded.map {
            try JSONDecoder().decode(Sent.self, from: try #require($0.body.data)).variables.cursor
        }
    }

    @Test func `a connection is loaded to its last page`() async throws {
        let session = ScriptedSession([
            .json(part(["a", "b"], hasNext: true, cursor: "B")), .json(part(["c"], hasNext: false, cursor: "C")),
        ])
        let list = request.paged(\.repository?.issues, after: \.cursor)
        var titles: [String] = []
        for try await issue in APILoader(list, session: session).pages(from: Variables()).items {
            titles.append(issue.title)
        }
        #expect(titles == ["a", "b", "c"])
        #expect(try cursors(session) == [nil, "B"])
        try session.verify()
    }

    @Test func `a null connection ends the list`() async throws {
        let session = ScriptedSession([.json(#"{"data":{"repository":null}}"#)])
        let list = request.paged(\.repository?.issues, after: \.cursor)
        var pages = 0
        for try await page in APILoader(list, session: session).pages(from: Variables()) {
            #expect(page.items.isEmpty && page.next == nil)
            pages += 1
        }
        #expect(pages == 1)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let responses: [String]
        let code: ServiceError.Code
        var testDescription: String { name }
    }

    @Test(arguments: [
        Bad(
            name: "a next page without a cursor",
            responses: [#"{"data":{"repository":{"issues":{"nodes":[],"pageInfo":{"hasNextPage":true}}}}}"#],
            code: .badResponse),
        Bad(
            name: "a repeated cursor",
            responses: Array(
                repeating:
                    #"{"data":{"repository":{"issues":{"nodes":[],"pageInfo":{"hasNextPage":true,"endCursor":"A"}}}}}"#,
                count: 2),
            code: .badResponse),
        Bad(
            name: "a page with errors",
            responses: [#"{"data":{"repository":null},"errors":[{"message":"not now"}]}"#], code: .graphQL),
        Bad(
            name: "a page with errors that cause a decoding error",
            responses: [#"{"data":{"repository":{"issues":null}},"errors":[{"message":"not now"}]}"#], code: .graphQL),
    ])
    func `an incomplete list ends with an error`(row: Bad) async throws {
        let session = ScriptedSession(row.responses.map { .json($0) })
        let list = request.paged(\.repository?.issues, after: \.cursor)
        let error = await #expect(throws: ServiceError.self) {
            for try await _ in APILoader(list, session: session).pages(from: Variables()).items {}
        }
        #expect(error?.code == row.code)
        try session.verify()
    }

    @Test func `a mutation is rejected as a list`() async throws {
        let write = GraphQLRequest<Variables, RepositoryData>(
            try QueryDocument("mutation M($cursor: String) { x(a: $cursor) }"), at: request.url)
        let session = ScriptedSession([])
        let loader = APILoader(write.paged(\.repository?.issues, after: \.cursor), session: session)
        let error = await #expect(throws: ServiceError.self) { for try await _ in loader.pages(from: Variables()) {} }
        #expect(error?.code == .encoding && session.recorded.isEmpty)
    }

    @Test func `a named variable takes the cursor and pages keep their extensions`() async throws {
        struct Repository: Decodable, Sendable { let issues: Issues }
        struct Sure: Decodable, Sendable { let repository: Repository }
        let session = ScriptedSession([
            .json(String(part(["a"], hasNext: true, cursor: "A").dropLast()) + #","extensions":{"cost":3}}"#),
            .json(part(["b"], hasNext: false, cursor: nil)),
        ])
        let named = GraphQLRequest<GraphQLVariables, Sure>(request.document, at: request.url)
        let list = named.paged(\.repository.issues, after: "cursor")
        var costs: [Int?] = []
        for try await page in APILoader(list, session: session).pages(from: ["first": 1]) {
            costs.append(page.value.extensions?["cost"]?.int)
        }
        #expect(costs == [3, nil])
        #expect(try cursors(session) == [nil, "A"])
    }

    @Test func `a null connection with errors fails even if partial data is allowed`() async throws {
        let session = ScriptedSession([.json(#"{"data":{"repository":null},"errors":[{"message":"not now"}]}"#)])
        var list = request.paged(\.repository?.issues, after: \.cursor)
        list.allowsPartialData = true
        let error = await #expect(throws: ServiceError.self) {
            for try await _ in APILoader(list, session: session).pages(from: Variables()).items {}
        }
        #expect(error?.code == .graphQL && error?.graphQLErrors.map(\.message) == ["not now"])
    }

    @Test func `partial pages are returned with their errors if allowed`() async throws {
        let response =
            part(["a"], hasNext: false, cursor: nil).dropLast() + #","errors":[{"message":"one is missing"}]}"#
        let session = ScriptedSession([.json(String(response))])
        var list = request.paged(\.repository?.issues, after: \.cursor)
        list.allowsPartialData = true
        for try await page in APILoader(list, session: session).pages(from: Variables()) {
            #expect(page.items == [Issue(title: "a")] && page.value.errors.map(\.message) == ["one is missing"])
        }
    }

    @Test func `a list with page numbers loads all pages`() async throws {
        let document = try QueryDocument(charactersQuery)
        let url = try #require(URL(string: rickAndMorty))
        let request = GraphQLRequest<CharactersVariables, Characters>(document, at: url)
        let list = request.paged {
            $0.characters.results
        } next: { page, variables in
            page.characters.info.next.map { CharactersVariables(filter: variables.filter, page: $0) }
        }
        let session = ScriptedSession([
            .json(#"{"data":{"characters":{"info":{"next":2},"results":[{"id":"1"}]}}}"#),
            .json(#"{"data":{"characters":{"info":{"next":null},"results":[{"id":"2"}]}}}"#),
        ])
        var ids: [String] = []
        for try await character in APILoader(list, session: session).pages(from: CharactersVariables()).items {
            ids.append(character.id)
        }
        #expect(ids == ["1", "2"])
        try session.verify()
    }
}
