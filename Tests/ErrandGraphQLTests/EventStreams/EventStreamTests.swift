import Errand
import ErrandGraphQL
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// The scene of the tests of ``GraphQLEventStream``.
struct StreamScene {
    /// A clock with sleeps that take no time, except for timeouts: the timer of a request can start before the request does.
    struct Clock: TimeSource {
        /// The timeout of the request that stops a subscription.
        private static let shortestTimeout = EventStreamRequests.stopTimeout
        private let clock = InstantClock()

        /// The durations of the sleeps without timeouts, in order.
        var waits: [Duration] { clock.waits }
        var now: Duration { clock.now }
        var date: Date { clock.date }

        func sleep(until instant: Duration) async throws {
            if instant - now >= Self.shortestTimeout { await waitUntilCancelled() }
            try await clock.sleep(until: instant)
        }
    }

    let service = SingleConnectionService()
    let clock = Clock()
    let stream: GraphQLEventStream

    /// If `time` is `nil`, the clock of the stream is ``clock``.
    init(
        _ options: EventOptions = EventOptions(), bufferLimit: Int = GraphQLEventStream.defaultBufferLimit,
        time: ManualClock? = nil
    ) throws {
        let url = try #require(URL(string: "https://blog.test/graphql"))
        let time: any TimeSource = time ?? clock
        stream = GraphQLEventStream(
            at: url, session: service, headers: ["X-Tenant": "1"], options: options, bufferLimit: bufferLimit,
            time: time, random: FixedRandom(fraction: 0))
    }

    func updates(_ document: String = SubscriptionScene.document) throws -> GraphQLStreamUpdates<CommentAdded> {
        stream.subscription(try SubscriptionScene.request(document).complete(), ["post": "1"])
    }

    /// Starts to read a subscription.
    func read() throws -> Task<[String], any Error> {
        let updates = try updates()
        return Task { try await updates.all() }
    }
}

extension GraphQLStreamUpdates where Element == CommentAdded {
    /// Returns the texts of all updates.
    func all() async throws(ServiceError) -> [String] {
        var texts: [String] = []
        for try await update in self { texts.append(update.commentAdded.text) }
        return texts
    }
}

@Suite(.timeLimit(.minutes(1))) struct EventStreamTests {
    @Test func `several subscriptions share one event stream`() async throws {
        let scene = try StreamScene()
        let first = try scene.read()
        #expect(await scene.service.log(3) == ["PUT", "GET t1", "POST t1 1"])
        let second = try scene.read()
        #expect(await scene.service.log(4).last == "POST t1 2")
        scene.service.emit("a", to: "1")
        scene.service.emit("b", to: "2")
        scene.service.emit("late", to: "3")
        scene.service.write("event: ping\ndata: x\n\n")
        scene.service.emit("c", to: "1")
        scene.service.complete("1")
        #expect(try await first.value == ["a", "c"])
        scene.service.emit("d", to: "2")
        scene.service.complete("2")
        #expect(try await second.value == ["b", "d"])
        #expect(await scene.service.log(5).dropFirst(4) == ["CLOSED t1"], "a complete operation is not stopped")
    }

    @Test func `the requests have the headers of the protocol`() async throws {
        let scene = try StreamScene()
        var request = try SubscriptionScene.request()
        request.url = try #require(URL(string: "https://other.test/graphql"))
        request.extensions = ["a": 1]
        let updates = scene.stream.subscription(request, ["post": "1"])
        let task = Task { for try await _ in updates { break } }
        _ = await scene.service.log(3)
        scene.service.emit("a", to: "1")
        try await task.value
        #expect(await scene.service.log(5).dropFirst(3) == ["DELETE t1 1", "CLOSED t1"])
        let sent = scene.service.requests
        #expect(sent.map { $0.headers["X-GraphQL-Event-Stream-Token"] } == [nil, "t1", "t1", "t1"])
        #expect(sent.map { $0.headers["Accept"] } == ["text/plain", "text/event-stream", "application/json", "*/*"])
        #expect(sent.map { $0.headers["X-Tenant"] } == ["1", "1", nil, "1"])
        let base = "https://blog.test/graphql"
        #expect(sent.map { $0.url?.absoluteString } == [base, base, base, "\(base)?operationId=1"])
        let body = String(decoding: sent[2].body.data ?? Data(), as: UTF8.self)
        #expect(body.contains(#""a":1"#) && body.contains(#""operationId":"1""#) && body.contains(#"{"post":"1"}"#))
    }

    @Test func `a subscription after the last one opens a new stream`() async throws {
        let scene = try StreamScene()
        for number in 1...2 {
            let task = try scene.read()
            _ = await scene.service.log(4 * number - 1)
            scene.service.complete("\(number)")
            #expect(try await task.value == [])
            #expect(await scene.service.log(4 * number).last == "CLOSED t\(number)")
        }
        #expect(scene.service.log.filter { $0 == "PUT" }.count == 2)
    }

    @Test(arguments: [nil, URLError(.networkConnectionLost)])
    func `a lost stream is reserved again, and its operations are sent again`(error: URLError?) async throws {
        let scene = try StreamScene()
        let first = try scene.read()
        _ = await scene.service.log(3)
        let second = try scene.read()
        _ = await scene.service.log(4)
        scene.service.emit("a", to: "1")
        scene.service.drop(error)
        let log = await scene.service.log(8)
        #expect(log[4...5] == ["PUT", "GET t2"] && Set(log[6...7]) == ["POST t2 1", "POST t2 2"])
        #expect(scene.clock.waits == [.seconds(3)])
        scene.service.emit("b", to: "1")
        scene.service.complete("1")
        scene.service.complete("2")
        #expect(try await first.value == ["a", "b"])
        #expect(try await second.value == [])
    }

    @Test func `an operation is not sent over a stream that was lost`() async throws {
        let scene = try StreamScene()
        let service = scene.service
        var iterator = try scene.updates().makeAsyncIterator()
        let first = Task {
            _ = await service.log(3)
            service.emit("a", to: "1")
        }
        #expect(try await iterator.next()?.commentAdded.text == "a")
        await first.value
        // The loop reads nothing while the stream is lost twice.
        for count in [5, 7] {
            service.drop()
            _ = await service.log(count)
        }
        let last = Task {
            _ = await service.log(8)
            service.emit("b", to: "1")
            service.complete("1")
        }
        #expect(try await iterator.next()?.commentAdded.text == "b")
        #expect(try await iterator.next() == nil)
        await last.value
        let log = ["PUT", "GET t1", "POST t1 1", "PUT", "GET t2", "PUT", "GET t3", "POST t3 1", "CLOSED t3"]
        #expect(await service.log(9) == log)
    }

    @Test func `one subscription ends while others continue`() async throws {
        let scene = try StreamScene()
        let first = try scene.read()
        _ = await scene.service.log(3)
        let second = try scene.read()
        _ = await scene.service.log(4)
        first.cancel()
        let error = await #expect(throws: ServiceError.self) { try await first.value }
        #expect(error?.code == .cancelled)
        #expect(await scene.service.log(5).last == "DELETE t1 1")
        scene.service.emit("a", to: "2")
        scene.service.complete("2")
        #expect(try await second.value == ["a"])
    }

    @Test func `responses with errors are updates`() async throws {
        let scene = try StreamScene()
        let updates = scene.stream.subscription(try SubscriptionScene.request(), ["post": "1"])
        let task = Task { () throws -> [GraphQLResponse<CommentAdded>] in
            var found: [GraphQLResponse<CommentAdded>] = []
            for try await update in updates { found.append(update) }
            return found
        }
        _ = await scene.service.log(3)
        scene.service.write("event: next\ndata: {\"id\":\"1\",\"payload\":\(SubscriptionScene.refusal)}\n\n")
        scene.service.complete("1")
        #expect(try await task.value.map { $0.errors.map(\.code) } == [["FORBIDDEN"]])
    }

    @Test func `a subscription without variables needs no input`() async throws {
        let scene = try StreamScene()
        let document = try QueryDocument("subscription { commentAdded { text } }")
        let request = GraphQLRequest<NoVariables, CommentAdded>(document, at: scene.stream.url)
        let values = scene.stream.subscription(request.complete())
        let responses = scene.stream.subscription(request)
        let first = Task { try await values.all() }
        _ = await scene.service.log(3)
        let second = Task { for try await _ in responses { break } }
        _ = await scene.service.log(4)
        for id in ["1", "2"] { scene.service.emit("a", to: id) }
        scene.service.complete("1")
        #expect(try await first.value == ["a"])
        try await second.value
    }
}
