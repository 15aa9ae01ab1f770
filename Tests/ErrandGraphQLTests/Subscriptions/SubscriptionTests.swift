import Errand
import ErrandGraphQL
import ErrandTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct SubscriptionTests {
    private typealias Scene = SubscriptionScene

    @Test func `each next event is a response, and complete ends the sequence`() async throws {
        let partial = #"{"data":{"commentAdded":{"text":"b"}},"errors":[{"message":"m"}]}"#
        let stream =
            ":\n\n" + Scene.next("a") + "event: ping\ndata: x\n\n" + "event: next\ndata: \(partial)\n\n"
            + "event: next\ndata: \(Scene.refusal)\n\n" + Scene.complete + Scene.next("late")
        let script = ScriptedSession([.events(stream)])
        let source = Scene.loader(try Scene.request(), script).subscription(["post": "1"])
        let updates = try await source.all()
        #expect(updates.map { $0.data?.commentAdded.text } == ["a", "b", nil])
        #expect(updates.map(\.errors.count) == [0, 1, 1])
        guard case .requestError = updates.last?.outcome else { return #expect(Bool(false), "\(updates)") }
        try script.verify()
        #expect(source.trail.events.last?.message.hasSuffix("received the last event") == true)

        let sent = try #require(script.recorded.first)
        #expect(sent.method == .post && sent.headers["Accept"] == "text/event-stream")
        #expect(sent.headers["Content-Type"] == "application/json" && sent.headers["Cache-Control"] == "no-cache")
        let body = String(decoding: try #require(sent.body.data), as: UTF8.self)
        #expect(body.hasPrefix(#"{"operationName":"OnComment","query":"subscription OnComment"#))
        #expect(body.hasSuffix(#""variables":{"post":"1"}}"#))
    }

    @Test(arguments: ["event: complete\n\n", "event: complete\ndata\n\n", "event: complete\r\ndata: {}\r\n\r\n"])
    func `complete ends the sequence with any data and without data`(last: String) async throws {
        let script = ScriptedSession([.events(Scene.next("a") + last)])
        let updates = try await Scene.loader(try Scene.request().complete(), script).subscription(["post": "1"]).all()
        #expect(updates.map(\.commentAdded.text) == ["a"])
        #expect(script.recorded.count == 1, "the source does not connect again")
    }

    @Test(arguments: [
        (#"{"data":{"commentAdded":{"text":"b"}},"errors":[{"message":"m"}]}"#, "partial data"),
        (#"{"data":{"commentAdded":null},"errors":[{"message":"m","path":["commentAdded"]}]}"#, "partial data"),
        (#"{"data":null,"errors":[{"message":"m"}]}"#, "no data"), (#"{"errors":[{"message":"m"}]}"#, "refused"),
    ])
    func `an update with errors ends a sequence of complete data`(update: String, reason: String) async throws {
        let script = ScriptedSession([.events(Scene.next("a") + "event: next\ndata: \(update)\n\n")])
        var iterator = Scene.loader(try Scene.request().complete(), script).subscription(["post": "1"])
            .makeAsyncIterator()
        #expect(try await iterator.next()?.commentAdded.text == "a")
        let error = await #expect(throws: ServiceError.self) { try await iterator.next() }
        #expect(error?.code == .graphQL && error?.reason.contains(reason) == true, "\(String(describing: error))")
        #expect(error?.graphQLErrors.map(\.message) == ["m"] && error?.status == 200)
        #expect(error?.request?.url == "https://blog.test/graphql")
        #expect(try await iterator.next() == nil)
    }

    @Test func `an interrupted subscription continues after the last event`() async throws {
        let first = Scene.next("a", id: "7")
        let script = ScriptedSession([
            .events(first).truncatingBody(after: first.utf8.count), .events(Scene.next("b")),
            .failure(URLError(.timedOut)), .events(Scene.next("c", id: "9") + Scene.complete),
        ])
        let clock = InstantClock()
        let source = Scene.loader(try Scene.request().complete(), script, clock).subscription(["post": "1"])
        #expect(try await source.all().map(\.commentAdded.text) == ["a", "b", "c"])
        try script.verify()
        #expect(script.recorded.map { $0.headers["Last-Event-ID"] } == [nil, "7", "7", "7"])
        #expect(Set(script.recorded.map { $0.body.data }).count == 1, "the operation is the same")
        #expect(clock.waits == [.seconds(3), .seconds(3), .seconds(3)])
    }

    @Test func `a stream that ends before complete and is not requested again is an error`() async throws {
        var options = EventOptions()
        options.reconnects = false
        let script = ScriptedSession([.events(Scene.next("a"))])
        var iterator = Scene.loader(try Scene.request(), script).subscription(["post": "1"], options: options)
            .makeAsyncIterator()
        #expect(try await iterator.next()?.data?.commentAdded.text == "a")
        let error = await #expect(throws: ServiceError.self) { try await iterator.next() }
        #expect(error?.code == .connectionLost)
    }

    @Test func `a subscription by GET has its operation in the URL`() async throws {
        let script = ScriptedSession([.events(Scene.complete)])
        #expect(try await Scene.loader(try Scene.request(method: .get), script).subscription(["post": "1"]).all() == [])
        let sent = try #require(script.recorded.first)
        #expect(sent.method == .get && sent.body.data == nil && sent.headers["Accept"] == "text/event-stream")
        let items = URLComponents(string: sent.url?.absoluteString ?? "")?.queryItems ?? []
        #expect(items.map(\.name) == ["query", "operationName", "variables"])
        #expect(items.last?.value == #"{"post":"1"}"#)
    }

    @Test func `a subscription without variables needs no input`() async throws {
        let url = try #require(URL(string: "https://blog.test/graphql"))
        let document = try QueryDocument("subscription { commentAdded { text } }")
        let request = GraphQLRequest<NoVariables, CommentAdded>(document, at: url)
        let session = ScriptedSession(answering: { _ in .events(Scene.next("a") + Scene.complete) })
        let responses = try await Scene.loader(request, session).subscription().all()
        let values = try await Scene.loader(request.complete(), session).subscription().all()
        #expect(try responses.map { try $0.requireComplete() } == values && values.count == 1)
    }
}
