import Errand
import ErrandGraphQL
import ErrandTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct SubscriptionErrorTests {
    private typealias Scene = SubscriptionScene

    struct Refusal: Sendable, CustomTestStringConvertible {
        let body: String
        let type: String
        let status: Int
        var errors = 0
        let reason: String

        var testDescription: String { "\(status) \(type)" }
    }

    @Test(arguments: [
        Refusal(
            body: Scene.refusal, type: "application/graphql-response+json", status: 400, errors: 1,
            reason: "the server responded with status 400: the service refused the request: FORBIDDEN"),
        Refusal(
            body: Scene.refusal, type: "application/json", status: 401, errors: 1,
            reason: "the server responded with status 401: the service refused the request: FORBIDDEN"),
        Refusal(body: "{}", type: "application/json", status: 406, reason: "the server responded with status 406"),
        Refusal(
            body: "<html><p>", type: "text/html", status: 503,
            reason: "the server responded with status 503 and text/html that begins with \"<html><p>\""),
        Refusal(body: "", type: "", status: 500, reason: "the server responded with status 500"),
        Refusal(
            body: #"{"data":{"commentAdded":{"text":"a"}}}"#, type: "application/graphql-response+json", status: 400,
            reason: "the server responded with status 400"),
    ])
    func `a refused request has the status and the errors of the service`(refusal: Refusal) async throws {
        let reply = CannedReply.data(
            Data(refusal.body.utf8), type: refusal.type.isEmpty ? nil : refusal.type,
            status: refusal.status)
        let script = ScriptedSession([reply.header("X-Request-ID", "5")])
        let source = Scene.loader(try Scene.request(), script).subscription(["post": "1"])
        let error = await #expect(throws: ServiceError.self) { try await source.all() }
        #expect(error?.code == .status && error?.status == refusal.status)
        #expect(error?.reason == refusal.reason)
        #expect(error?.graphQLErrors.count == refusal.errors)
        #expect(error?.response?.headers["X-Request-ID"] == "5", "the header section is complete")
        #expect(error?.body == Data(refusal.body.utf8))
    }

    @Test func `lenient options connect again after a temporary refusal with GraphQL errors`() async throws {
        var options = EventOptions()
        options.statuses = .lenient
        let script = ScriptedSession([
            .json(Scene.refusal, status: 503).header("Retry-After", "40"), .events(Scene.complete),
            .json(Scene.refusal, status: 403),
        ])
        let clock = InstantClock()
        let loader = Scene.loader(try Scene.request(), script, clock)
        #expect(try await loader.subscription(["post": "1"], options: options).all() == [])
        #expect(clock.waits == [.seconds(40)])
        let error = await #expect(throws: ServiceError.self) {
            try await loader.subscription(["post": "1"], options: options).all()
        }
        #expect(error?.status == 403 && error?.graphQLErrors.first?.code == "FORBIDDEN")
    }

    @Test(arguments: [
        (#"{"data":{"commentAdded":{"text":"a"}}}"#, ServiceError.Code.validation), ("{}", .validation),
        (#"{"data":null,"errors":[{"message":"m"}]}"#, .graphQL), (Scene.refusal, .graphQL),
    ])
    func `a response that is not an event stream is an error`(body: String, code: ServiceError.Code) async throws {
        let source = Scene.loader(try Scene.request(), ScriptedSession([.json(body)])).subscription(["post": "1"])
        let error = await #expect(throws: ServiceError.self) { try await source.all() }
        #expect(error?.code == code && error?.status == 200 && error?.body == Data(body.utf8))
        #expect(error?.graphQLErrors.count == (code == .graphQL ? 1 : 0))
        guard code == .validation else { return }
        #expect(error?.reason == "expected an event stream of type text/event-stream, found application/json")
    }

    @Test(arguments: ["application/json", "application/graphql-response+json", "text/plain"], [1, 7, .max])
    func `lenient options find the errors of a response that is not an event stream`(
        type: String, size: Int
    ) async throws {
        var options = EventOptions()
        options.statuses = .lenient
        let body = Data((" \r\n" + Scene.refusal).utf8)
        let chunks = stride(from: 0, to: body.count, by: min(size, body.count)).map {
            Data(body.dropFirst($0).prefix(size))
        }
        let reply = CannedReply.chunks(chunks, type: type)
        let loader = Scene.loader(try Scene.request(), ScriptedSession([reply]))
        let source = loader.subscription(["post": "1"], options: options)
        let error = await #expect(throws: ServiceError.self) { try await source.all() }
        #expect(error?.code == .graphQL && error?.status == 200 && error?.body == body)
        #expect(error?.graphQLErrors.first?.code == "FORBIDDEN")
    }

    @Test func `lenient options find the errors if the connection is lost after them`() async throws {
        var options = EventOptions()
        options.statuses = .lenient
        let body = Data(Scene.refusal.utf8)
        let reply = CannedReply.chunks([body, Data(" ".utf8)], type: "application/json")
            .truncatingBody(after: body.count)
        let loader = Scene.loader(try Scene.request(), ScriptedSession([reply]))
        let source = loader.subscription(["post": "1"], options: options)
        let error = await #expect(throws: ServiceError.self) { try await source.all() }
        #expect(error?.code == .graphQL && error?.graphQLErrors.first?.code == "FORBIDDEN")
    }

    @Test func `lenient options accept an event stream of any media type while it is open`() async throws {
        var options = EventOptions()
        options.statuses = .lenient
        let stream = Data(Scene.next("a").utf8)
        let reply = CannedReply.data(stream, type: "application/json").stallingBody(after: stream.count)
        let loader = Scene.loader(try Scene.request().complete(), ScriptedSession([reply]), ManualClock())
        var iterator = loader.subscription(["post": "1"], options: options).makeAsyncIterator()
        #expect(try await iterator.next()?.commentAdded.text == "a")
    }

    @Test(arguments: [
        ("{ title }", HTTPMethod.post, "expected a subscription, found a query"),
        ("mutation { add }", .post, "expected a subscription, found a mutation"),
        (Scene.document, .put, "expected method POST or GET for a GraphQL operation, found PUT"),
    ])
    func `only a subscription by POST or GET is sent`(text: String, method: HTTPMethod, reason: String) async throws {
        let script = ScriptedSession([])
        let source = Scene.loader(try Scene.request(text, method: method), script).subscription([:])
        let error = await #expect(throws: ServiceError.self) { try await source.all() }
        #expect(error?.code == .encoding && error?.reason.hasSuffix(reason) == true, "\(String(describing: error))")
        #expect(script.recorded.isEmpty)
    }

    @Test(arguments: ["", "x", "{}", "[]", #"{"data":{"commentAdded":{"text":5}}}"#])
    func `an update that cannot be decoded is an error or is skipped`(data: String) async throws {
        let stream = "event: next\ndata: \(data)\n\n" + Scene.next("b") + Scene.complete
        let loader = Scene.loader(
            try Scene.request(), ScriptedSession(answering: { _ in .events(stream) }))
        let error = await #expect(throws: ServiceError.self) { try await loader.subscription(["post": "1"]).all() }
        #expect(error?.code == .decoding && error?.body == Data(data.utf8) && error?.status == 200)
        if data.contains("5") { #expect(error?.reason.contains("data.commentAdded.text") == true) }

        var options = EventOptions()
        options.skipsUndecodable = true
        let source = loader.subscription(["post": "1"], options: options)
        #expect(try await source.all().map { $0.data?.commentAdded.text } == ["b"])
        #expect(source.skippedCount == 1)
    }

    @Test func `a secret that the service repeats is not printed`() async throws {
        let secret = "c2VjcmV0LXRva2Vu"
        var request = try Scene.request()
        request.headers = ["Authorization": "Bearer \(secret)"]
        let update = #"{"errors":[{"message":"m","extensions":{"code":"\#(secret)"}}]}"#
        let replies: [CannedReply] = [
            .events("event: next\ndata: \(update)\n\n"), .json(update, status: 401),
        ]
        for reply in replies {
            let source = Scene.loader(request.complete(), ScriptedSession([reply])).subscription(["post": "1"])
            let error = await #expect(throws: ServiceError.self) { try await source.all() }
            let failure = try #require(error)
            #expect(failure.graphQLErrors.count == 1)
            let texts = ["\(failure)", failure.reason, "\(failure.graphQLErrors)", "\(source.trail)"]
            #expect(texts.allSatisfy { !$0.contains(secret) }, "\(texts)")
        }
    }
}
