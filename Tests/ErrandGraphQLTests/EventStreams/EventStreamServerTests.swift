import Errand
import ErrandGraphQL
import Foundation
import TestSupport
import Testing

/// Tests with the single connection mode of `Tests/graphql-events.py`. Each test has its own streams, but the server is
/// shared.
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: TestEnvironment.graphQLEvents != nil))
struct EventStreamServerTests {
    struct Count: Decodable, Sendable { let count: Int }
    struct Wait: Decodable, Sendable { let wait: Int }
    struct Streams: Decodable, Sendable, Equatable { let streams: Int, operations: Int }
    struct Command: APIHandler {
        let path: String

        func makeRequest(from data: Void) throws -> URLRequest {
            URLRequest(url: try #require(TestEnvironment.graphQLEvents).appending(path: path))
        }

        func parseResponse(data: Data, head: ResponseHead) throws -> Data { data }
    }

    private func stream() throws -> GraphQLEventStream {
        var options = EventOptions()
        options.backoff.base = .milliseconds(10)
        return GraphQLEventStream(
            at: try #require(TestEnvironment.graphQLEvents).appending(path: "single"), options: options)
    }

    private func updates<Data: Decodable & Sendable>(
        _ document: String, as data: Data.Type, of stream: GraphQLEventStream, _ variables: GraphQLVariables = [:]
    ) throws -> GraphQLStreamUpdates<Data> {
        let request = GraphQLRequest<GraphQLVariables, Data>(try QueryDocument(document), at: stream.url)
        return stream.subscription(request.complete(), variables)
    }

    /// The streams and operations at the server.
    private func state() async throws -> Streams {
        try JSONDecoder().decode(Streams.self, from: await APILoader(Command(path: "single/state")).load())
    }

    /// Waits until the server has closed all streams.
    private func waitUntilClosed() async throws -> Bool {
        for _ in 1...1_000 where try await state() == Streams(streams: 0, operations: 0) { return true }
        return false
    }

    @Test func `several subscriptions receive all updates in order`() async throws {
        let stream = try stream()
        let counts = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 1...8 {
                let updates = try updates(
                    "subscription C($to: Int!) { count(to: $to) }", as: Count.self, of: stream, ["to": 200])
                group.addTask {
                    var counts: [Int] = []
                    for try await update in updates { counts.append(update.count) }
                    return counts
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: Array(1...200), count: 8))
        #expect(try await waitUntilClosed())
    }

    @Test func `a lost stream continues with a new reservation`() async throws {
        let stream = try stream()
        var waits: [Int] = []
        for try await update in try updates("subscription { wait }", as: Wait.self, of: stream) {
            waits.append(update.wait)
            #expect(try await state() == Streams(streams: 1, operations: 1))
            if waits.count == 3 { break }
            _ = try await APILoader(Command(path: "single/drop")).load()
        }
        #expect(waits == [1, 1, 1])
        #expect(try await waitUntilClosed())
    }

    @Test func `leaving a loop ends only its operation`() async throws {
        let stream = try stream()
        for try await _ in try updates("subscription { wait }", as: Wait.self, of: stream) {
            for try await _ in try updates("subscription { wait }", as: Wait.self, of: stream) {
                #expect(try await state() == Streams(streams: 1, operations: 2))
                break
            }
            var requests = 0
            while try await state().operations != 1, requests < 1_000 { requests += 1 }
            #expect(try await state() == Streams(streams: 1, operations: 1))
            break
        }
        #expect(try await waitUntilClosed())
    }

    @Test func `an invalid operation is refused with its errors`() async throws {
        let updates = try updates("subscription { nope }", as: Count.self, of: try stream())
        let error = await #expect(throws: ServiceError.self) { for try await _ in updates {} }
        #expect(error?.status == 400 && error?.graphQLErrors.first?.message.contains("nope") == true)
        #expect(try await waitUntilClosed())
    }
}
