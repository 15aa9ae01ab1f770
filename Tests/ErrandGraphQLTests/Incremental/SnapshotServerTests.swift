import Errand
import ErrandGraphQL
import Foundation
import TestSupport
import Testing

/// Tests with the incremental execution of strawberry and graphql-core: `Tests/graphql-events.py`.
@Suite(.timeLimit(.minutes(1)), .enabled(if: TestEnvironment.graphQLEvents != nil)) struct SnapshotServerTests {
    private struct Page: Decodable, Sendable {
        struct Person: Decodable, Sendable {
            let name: String?
            let home: PersonPage.World?
            let films: [PersonPage.Film]?
            let broken: String?
            let required: String?
            let wait: String?
        }
        let person: Person?
    }
    private struct Gate: Decodable, Sendable { let go: Bool }

    private func loader<Data: Decodable & Sendable>(
        _ document: String, as data: Data.Type, method: HTTPMethod = .post
    ) throws -> APILoader<GraphQLRequest<NoVariables, Data>> {
        let url = try #require(TestEnvironment.graphQLEvents).appending(path: "incremental/")
        return APILoader(GraphQLRequest(try QueryDocument(document), at: url, method: method))
    }

    private func snapshots(_ document: String) async throws -> [GraphQLSnapshot<Page>] {
        try await loader(document, as: Page.self).snapshots().all()
    }

    @Test func `deferred fragments are merged, also into objects that were delivered`() async throws {
        let snapshots = try await snapshots(
            """
            { person { name home { name } ... @defer(label: "home") { home { climate } films(to: 2) { title
              ... @defer(label: "year") { year } } } } }
            """)
        #expect(snapshots.count >= 2)
        let first = try #require(snapshots.first)
        #expect(first.isPending("home") && !first.isComplete && first.response.data?.person?.home?.climate == nil)
        let person = try #require(snapshots.last).response.requireComplete().person
        #expect(person?.name == "Luke" && person?.home == PersonPage.World(name: "Tatooine", climate: "dry"))
        #expect(person?.films == (1...2).map { PersonPage.Film(title: "film \($0)", year: 1_977) })
    }

    @Test func `streamed items arrive in order`() async throws {
        let snapshots = try await snapshots(
            "{ person { films(to: 300) @stream(initialCount: 2, label: \"films\") { title } } }")
        #expect(snapshots.first?.response.data?.person?.films?.count == 2)
        #expect(snapshots.first?.pending == [GraphQLPendingPart(path: ["person", "films"], label: "films")])
        let films = try #require(snapshots.last).response.requireComplete().person?.films
        #expect(films?.map(\.title) == (1...300).map { "film \($0)" })
        let counts = snapshots.compactMap { $0.response.data?.person?.films?.count }
        #expect(counts == counts.sorted() && counts.count == snapshots.count)
    }

    @Test(.timeLimit(.minutes(1))) func `a snapshot arrives while a fragment is pending`() async throws {
        let gate = UUID().uuidString
        var waits: [String?] = []
        let document = #"{ person { name ... @defer { wait(gate: "\#(gate)") } } }"#
        for try await snapshot in try loader(document, as: Page.self).snapshots() {
            waits.append(snapshot.response.data?.person?.wait)
            if waits.count == 1 { _ = try await loader(#"{ go(gate: "\#(gate)") }"#, as: Gate.self).load() }
        }
        #expect(waits.first == .some(nil) && waits.last == "opened")
    }

    @Test func `errors of deferred fields are part of the last response`() async throws {
        let last = try #require(
            try await snapshots("{ person { ... @defer { broken } ... @defer { name } ... @defer { required } } }").last
        )
        #expect(last.isComplete && last.pending.isEmpty && last.response.data?.person?.name == "Luke")
        #expect(Set(last.response.errors.map(\.path)) == [["person", "broken"], ["person", "required"]])
    }

    @Test func `an operation without directives is one snapshot`() async throws {
        let snapshots = try await snapshots("{ person { name } }")
        #expect(snapshots.map { $0.response.data?.person?.name } == ["Luke"] && snapshots.map(\.isComplete) == [true])
        let refused = try await self.snapshots("{ nope @defer }")
        #expect(refused.map(\.response.errors.isEmpty) == [false] && refused.map(\.isComplete) == [true])
    }

    @Test func `leaving the loop keeps the session usable`() async throws {
        for _ in 1...5 {
            let document = #"{ person { name ... @defer { wait(gate: "\#(UUID().uuidString)") } } }"#
            for try await _ in try loader(document, as: Page.self).snapshots() { break }
        }
        #expect(try await snapshots("{ person { name ... @defer { films { title } } } }").last?.isComplete == true)
    }
}
