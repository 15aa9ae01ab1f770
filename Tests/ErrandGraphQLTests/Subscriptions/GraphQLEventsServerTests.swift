import Errand
import ErrandGraphQL
import Foundation
import TestSupport
import Testing

/// Tests with two GraphQL servers of other projects: `Tests/graphql-events.py`.
@Suite(.timeLimit(.minutes(1)), .enabled(if: TestEnvironment.graphQLEvents != nil)) struct GraphQLEventsServerTests {
    struct Count: Decodable, Sendable { let count: Int }
    struct Resume: Decodable, Sendable { let resume: Int }
    struct Wait: Decodable, Sendable { let wait: Int }
    struct Active: Decodable, Sendable { let active: Int }
    struct Fail: Decodable, Sendable { let fail: Int? }
    struct Save: Decodable, Sendable {
        struct File: Decodable, Sendable, Equatable { let name: String, size: Int, note: String }
        let save: [File]
    }

    static let services = ["ariadne", "strawberry"]

    private func loader<Data: Decodable & Sendable>(
        _ document: String, as data: Data.Type, of service: String, method: HTTPMethod = .post
    ) throws -> APILoader<GraphQLRequest<GraphQLVariables, Data>> {
        let url = try #require(TestEnvironment.graphQLEvents).appending(path: "\(service)/")
        return APILoader(GraphQLRequest(try QueryDocument(document), at: url, method: method))
    }

    @Test(arguments: services) func `all updates arrive in order, and complete ends them`(service: String) async throws
    {
        let loader = try loader("subscription C($to: Int!) { count(to: $to) }", as: Count.self, of: service)
        let source = loader.subscription(["to": 500])
        #expect(try await source.all().map { try $0.requireComplete().count } == Array(1...500))
        #expect(source.trail.events.filter { $0.source == .events }.count == 1, "the source does not connect again")
    }

    @Test(arguments: services) func `10,000 updates survive a lost connection`(service: String) async throws {
        let counting = try loader(
            "subscription R($to: Int!, $client: String!) { resume(to: $to, client: $client) }", as: Resume.self,
            of: service)
        let client = "\(service)-\(UUID().uuidString)"
        var request = counting.handler
        request.headers = ["X-Drop-After": "5000", "X-Client": client]
        var options = EventOptions()
        options.backoff.base = .milliseconds(1)
        let source = counting.running(request).subscription(
            ["to": 10_000, "client": "\(client)"], options: options)
        #expect(try await source.all().map { try $0.requireComplete().resume } == Array(1...10_000))
        #expect(source.trail.events.filter { $0.source == .events }.count == 2, "\(source.trail)")
    }

    @Test func `a real server accepts a subscription by GET`() async throws {
        let loader = try loader(
            "subscription C($to: Int!) { count(to: $to) }", as: Count.self, of: "strawberry", method: .get)
        #expect(try await loader.subscription(["to": 3]).all().map { $0.data?.count } == [1, 2, 3])
    }

    @Test(arguments: services) func `an error of the stream is delivered after its data`(service: String) async throws {
        let updates = try await loader("subscription { fail }", as: Fail.self, of: service).subscription([:]).all()
        #expect(updates.map { $0.data?.fail } == [1, nil])
        #expect(updates.last?.errors.first?.message == "no more numbers")
    }

    @Test(arguments: services) func `an invalid operation is an update with errors`(service: String) async throws {
        let updates = try await loader("subscription { nope }", as: Fail.self, of: service).subscription([:]).all()
        #expect(updates.count == 1 && updates.first?.data == nil)
        #expect(updates.first?.errors.first?.message.contains("nope") == true)
    }

    @Test func `leaving the loop ends a subscription at the server`() async throws {
        for service in Self.services {
            let active = try loader("{ active }", as: Active.self, of: service)
            for try await update in try loader("subscription { wait }", as: Wait.self, of: service).subscription([:]) {
                #expect(update.data?.wait == 1)
                #expect(try await active.load([:]).data?.active == 1)
                break
            }
            // The server reads the end of the connection soon.
            var requests = 0
            while try await active.load([:]).data?.active != 0, requests < 1_000 { requests += 1 }
            #expect(requests < 1_000, "\(service)")
        }
    }

    @Test func `a service without subscriptions over events is an error`() async throws {
        let loader = try loader("subscription { wait }", as: Wait.self, of: "without-events")
        let error = await #expect(throws: ServiceError.self) { try await loader.subscription([:]).all() }
        #expect(error?.code == .graphQL && error?.graphQLErrors.first?.path == ["wait"])
    }

    @Test(arguments: services) func `files arrive at their variables`(service: String) async throws {
        let folder = try ScratchFolder()
        let file = try folder.file(Data(repeating: 7, count: 3_000_000), name: "sea.png")
        let loader = try loader(
            "mutation S($note: String!, $files: [Upload!]!) { save(note: $note, files: $files) { name size note } }",
            as: Save.self, of: service)
        let saved = try await loader.load(
            ["note": "n"],
            files: [
                .file(file, name: "files.0", contentType: "image/png"),
                .data(Data("abc".utf8), name: "files.1", fileName: "ä.txt", contentType: "text/plain"),
            ])
        #expect(
            try saved.requireComplete().save == [
                Save.File(name: "sea.png", size: 3_000_000, note: "n"), Save.File(name: "ä.txt", size: 3, note: "n"),
            ])
        withExtendedLifetime(folder) {}
    }
}
