import Characters
import Errand
import ErrandGraphQL
import ErrandLoopback
import ErrandTesting
import ExampleServers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CharactersTests {
    @Test func `the bundled query matches the schema, and a changed schema is reported`() throws {
        let query = try APIService.query()
        #expect(try APIService.schema().problems(in: query).isEmpty)
        let changed = try GraphQLSchema(
            """
            type Query { characters(page: Int, filter: FilterCharacter): Characters }
            input FilterCharacter { name: String }
            type Characters { info: Info results: [Character] }
            type Info { count: Int next: Int }
            type Character { id: ID name: String status: String species: String image: String episode: [Episode]! }
            type Episode { airDate: String }
            """)
        #expect(changed.problems(in: query).map(\.location) == [GraphQLLocation(line: 14, column: 9)])
    }

    @Test func `the filter and the page are sent as variables`() async throws {
        try await withServer(CharactersServer.reply) { server, session in
            let api = try APIService(url: server.url, session: session)
            let second = try await api.loadCharacters(.init(filter: .init(name: "morty", status: "alive"), page: 1))
            #expect(second.results.map(\.id) == ["2", "18", "118"] && second.info.next == nil)
            #expect(second.results.first?.episode.first?.airDate == "December 2, 2013")
            #expect(second.results.first?.status == .known(.alive))
        }
    }

    @Test func `a missing page is an error with the path of the field`() async throws {
        try await withServer(CharactersServer.reply) { server, session in
            let api = try APIService(url: server.url, session: session)
            let error = await #expect(throws: ServiceError.self) {
                try await api.loadCharacters(.init(page: 99))
            }
            #expect(error?.graphQLErrors.first?.path == ["characters"])
            #expect(error?.graphQLErrors.first?.code == nil)
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `the view model keeps its characters when the next page fails`() async throws {
        let page =
            #"{"data":{"characters":{"info":{"count":2,"next":2},"results":[{"id":1,"name":"Rick","episode":[]}]}}}"#
        let session = ScriptedSession([.json(page), .status(503)])
        let url = try #require(URL(string: "https://characters.test/graphql"))
        let model = await CharactersListViewModel(try APIService(url: url, session: session))
        await model.load()
        await model.loaded()
        #expect(await model.characters.map(\.id) == ["1"])
        await model.loadMore()
        await model.loaded()
        #expect(await model.characters.map(\.name) == ["Rick"])
        #expect(await model.problem != nil)
    }
}

/// Tests of the same example with a server that executes GraphQL. `.ci/run` starts it.
@Suite(.timeLimit(.minutes(1)), .enabled(if: TestEnvironment.graphQL != nil)) struct CharactersServiceTests {
    private func api() throws -> (APIService, URL) {
        let url = try #require(TestEnvironment.graphQL)
        return (try APIService(url: url), url)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `the view model loads the pages of a real service`() async throws {
        let model = await CharactersListViewModel(try api().0)
        await model.load(.init(name: "Morty"))
        await model.loaded()
        let first = await model.characters.count
        await model.loadMore()
        await model.loaded()
        #expect(await model.problem == nil)
        #expect(await model.characters.count > first && first > 0)
        #expect(await model.characters.allSatisfy { $0.name.contains("Morty") })
    }

    @Test func `all pages of a real service are loaded`() async throws {
        var ids: [String] = []
        for try await character in try api().0.characters(.init(species: "Human")) { ids.append(character.id) }
        #expect(ids == ["1", "2", "3", "18", "43", "118"])
    }

    @Test func `the query matches the introspected schema of the service`() async throws {
        let (_, url) = try api()
        let query = try QueryDocument(GraphQLSchema.introspectionQuery)
        let introspection = GraphQLRequest<NoVariables, GraphQLValue>(query, at: url)
        let response = try await APILoader(introspection).load().requireComplete()
        let schema = try GraphQLSchema(introspection: try JSONEncoder().encode(response))
        try schema.check(try APIService.query())
        #expect(throws: ServiceError.self) {
            try schema.check(try QueryDocument("{ characters { results { nickname } } }"))
        }
    }

    @Test func `a real service reports field errors and request errors differently`() async throws {
        let (api, url) = try api()
        let missing = await #expect(throws: ServiceError.self) { try await api.loadCharacters(.init(page: 99)) }
        #expect(missing?.code == .graphQL && missing?.graphQLErrors.first?.path == ["characters"])
        let wrong = GraphQLRequest<NoVariables, GraphQLValue>(try QueryDocument("{ nobody }"), at: url)
        let response = try await APILoader(wrong).load()
        guard case .requestError(let errors) = response.outcome else {
            return #expect(Bool(false), "\(response.outcome)")
        }
        #expect(errors.first?.locations == [GraphQLLocation(line: 1, column: 3)])
    }
}
