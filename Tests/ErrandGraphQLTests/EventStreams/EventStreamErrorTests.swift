import Errand
import ErrandGraphQL
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventStreamErrorTests {
    private typealias Fault = SingleConnectionService.Fault

    private func failure(_ task: Task<[String], any Error>) async throws -> ServiceError {
        try #require(await #expect(throws: ServiceError.self) { try await task.value })
    }

    @Test(arguments: [HTTPMethod.put, .get, .post])
    func `cancellation ends each request`(method: HTTPMethod) async throws {
        let scene = try StreamScene()
        scene.service.fail(method, .stall)
        let task = try scene.read()
        let count = method == .put ? 1 : method == .get ? 2 : 3
        #expect(await scene.service.log(count).last == "\(method.rawValue) stalled")
        task.cancel()
        #expect(try await failure(task).code == .cancelled)
        guard method == .post else { return }
        #expect(await scene.service.log(5).dropFirst(3) == ["DELETE t1 1", "CLOSED t1"], "it may have been accepted")
    }

    @Test(arguments: [HTTPMethod.put, .post])
    func `cancellation ends the wait before another attempt`(method: HTTPMethod) async throws {
        let clock = ManualClock()
        let service = SingleConnectionService()
        service.fail(method, .failure(URLError(.cannotConnectToHost)))
        let url = try #require(URL(string: "https://blog.test/graphql"))
        let stream = GraphQLEventStream(at: url, session: service, time: clock)
        let updates = stream.subscription(try SubscriptionScene.request().complete(), ["post": "1"])
        let task = Task { try await updates.all() }
        try await clock.waitForSleepers()
        task.cancel()
        #expect(try await failure(task).code == .cancelled)
        #expect(service.log.prefix(3).contains("\(method.rawValue) failed") && clock.now == .zero)
    }

    @Test func `all subscriptions end with the error of a stream that is not opened again`() async throws {
        var options = EventOptions()
        options.reconnects = false
        let scene = try StreamScene(options)
        let first = try scene.read()
        _ = await scene.service.log(3)
        let second = try scene.read()
        _ = await scene.service.log(4)
        scene.service.drop()
        for task in [first, second] { #expect(try await failure(task).code == .connectionLost) }
        let third = try scene.read()
        #expect(await scene.service.log(7).dropFirst(4) == ["PUT", "GET t2", "POST t2 3"])
        scene.service.complete("3")
        #expect(try await third.value == [])
    }

    @Test func `the number of consecutive failed connections is limited`() async throws {
        var options = EventOptions()
        options.failureLimit = 2
        let scene = try StreamScene(options)
        let lost = Fault.failure(URLError(.networkConnectionLost))
        scene.service.fail(.put, lost, lost, lost)
        #expect(try await failure(scene.read()).code == .connectionLost)
        #expect(scene.service.log == ["PUT failed", "PUT failed", "PUT failed"])
        #expect(scene.clock.waits == [.seconds(3), .seconds(3)])
    }

    @Test(arguments: [
        (Fault.reply(401, "", type: "text/plain"), ServiceError.Code.status, "the server responded with status 401"),
        (
            .reply(200, "t1", type: "text/plain"), .status,
            "expected status 201 for the reservation of an event stream, found 200"
        ),
        (
            .reply(201, "", type: "text/plain"), .badResponse,
            "expected a token of 1 to 4096 visible ASCII characters, found another body"
        ),
        (
            .reply(201, "a b", type: "text/plain"), .badResponse,
            "expected a token of 1 to 4096 visible ASCII characters, found another body"
        ),
        (
            .reply(201, String(repeating: "t", count: 4_097), type: "text/plain"), .badResponse,
            "expected a token of 1 to 4096 visible ASCII characters, found another body"
        ),
    ])
    func `a stream without a valid reservation is an error`(
        reply: SingleConnectionService.Fault, code: ServiceError.Code, reason: String
    ) async throws {
        let scene = try StreamScene()
        scene.service.fail(.put, reply)
        let error = try await failure(scene.read())
        #expect(error.code == code && error.reason == reason, "\(error)")
        #expect(scene.service.log.count == 1)
    }

    @Test(arguments: [
        (204, "", "text/event-stream", ServiceError.Code.badResponse), (409, "{}", "application/json", .status),
        (200, "{}", "application/json", .validation),
    ])
    func `a reservation without an event stream is an error`(
        status: Int, body: String, type: String, code: ServiceError.Code
    ) async throws {
        let scene = try StreamScene()
        scene.service.fail(.get, .reply(status, body, type: type))
        #expect(try await failure(scene.read()).code == code)
    }

    @Test func `a refused operation has the errors of the service and no effect on others`() async throws {
        let scene = try StreamScene()
        let first = try scene.read()
        _ = await scene.service.log(3)
        scene.service.fail(.post, .reply(400, SubscriptionScene.refusal))
        let error = try await failure(scene.read())
        #expect(error.code == .status && error.status == 400 && error.graphQLErrors.map(\.code) == ["FORBIDDEN"])
        scene.service.emit("a", to: "1")
        scene.service.complete("1")
        #expect(try await first.value == ["a"])
        #expect(await scene.service.log(5).dropFirst(3) == ["POST 400", "CLOSED t1"], "nothing has to be stopped")
    }

    @Test func `an operation is sent again with another ID after a connection failure`() async throws {
        let scene = try StreamScene()
        let first = try scene.read()
        _ = await scene.service.log(3)
        scene.service.fail(.post, .failure(URLError(.networkConnectionLost)))
        let second = try scene.read()
        let log = await scene.service.log(6)
        #expect(Set(log[3...5]) == ["POST failed", "DELETE t1 2", "POST t1 3"])
        #expect(scene.clock.waits == [.seconds(3)])
        scene.service.emit("a", to: "3")
        for id in ["1", "3"] { scene.service.complete(id) }
        #expect(try await second.value == ["a"])
        #expect(try await first.value == [])
    }

    @Test func `an operation is sent again if the service does not know the stream`() async throws {
        let scene = try StreamScene()
        scene.service.fail(.post, .reply(404, ""))
        let task = try scene.read()
        let log = await scene.service.log(7)
        #expect(log.prefix(3) == ["PUT", "GET t1", "POST 404"])
        #expect(Set(log.dropFirst(3)) == ["CLOSED t1", "PUT", "GET t2", "POST t2 1"])
        scene.service.complete("1")
        #expect(try await task.value == [])
    }

    @Test func `a service that never knows the stream is an error`() async throws {
        let scene = try StreamScene()
        let unknown = Fault.reply(404, "")
        scene.service.fail(.post, unknown, unknown, unknown, unknown, unknown, unknown, unknown)
        let error = try await failure(scene.read())
        #expect(error.status == 404)
        #expect(scene.service.log.filter { $0 == "POST 404" }.count == 3 && scene.clock.waits.count == 2)
        var options = EventOptions()
        options.reconnects = false
        let other = try StreamScene(options)
        other.service.fail(.post, unknown)
        #expect(try await failure(other.read()).status == 404)
    }

    @Test(arguments: [("{ title }", HTTPMethod.post), (SubscriptionScene.document, .put)])
    func `only a subscription opens the stream`(document: String, method: HTTPMethod) async throws {
        let scene = try StreamScene()
        let request = try SubscriptionScene.request(document, method: method)
        let updates = scene.stream.subscription(request.complete(), ["post": "1"])
        let error = await #expect(throws: ServiceError.self) { try await updates.all() }
        #expect(error?.code == .encoding && scene.service.log == [])
    }

    @Test func `a loop that is too slow ends with an error after its updates`() async throws {
        let scene = try StreamScene(bufferLimit: 2)
        let fast = try scene.read()
        _ = await scene.service.log(3)
        var slow = try scene.updates().makeAsyncIterator()
        let start = Task {
            _ = await scene.service.log(4); scene.service.emit("a", to: "2")
        }
        #expect(try await slow.next()?.commentAdded.text == "a")
        await start.value
        for text in ["b", "c", "d", "e"] { scene.service.emit(text, to: "2") }
        #expect(await scene.service.log(5).last == "DELETE t1 2")
        #expect(try await slow.next()?.commentAdded.text == "b")
        #expect(try await slow.next()?.commentAdded.text == "c")
        let error = await #expect(throws: ServiceError.self) { try await slow.next() }
        #expect(error?.code == .bodyTooLarge)
        #expect(try await slow.next() == nil)
        scene.service.emit("z", to: "1")
        scene.service.complete("1")
        #expect(try await fast.value == ["z"])
    }

    @Test(arguments: ["x", "{}", #"{"id":1}"#, "[]"])
    func `an event without a valid ID ends all subscriptions`(data: String) async throws {
        let scene = try StreamScene()
        let task = try scene.read()
        _ = await scene.service.log(3)
        scene.service.write("event: next\ndata: \(data)\n\n")
        let error = try await failure(task)
        #expect(error.code == .decoding && error.reason.hasPrefix("the event next has no valid data: "), "\(error)")
        #expect(error.body == Data(data.utf8) && error.status == 200)
    }

    @Test(arguments: [#"{"id":"1"}"#, #"{"id":"1","payload":5}"#, #"{"id":"1","payload":{"data":{"commentAdded":5}}}"#])
    func `an update that cannot be decoded is an error or is skipped`(data: String) async throws {
        for skips in [false, true] {
            var options = EventOptions()
            options.skipsUndecodable = skips
            let scene = try StreamScene(options)
            let updates = try scene.updates()
            let task = Task { try await updates.all() }
            _ = await scene.service.log(3)
            scene.service.write("event: next\ndata: \(data)\n\n")
            if skips {
                scene.service.emit("b", to: "1")
                scene.service.complete("1")
                #expect(try await task.value == ["b"])
                #expect(updates.skippedCount == 1)
            } else {
                let error = try await failure(task)
                #expect(error.code == .decoding && error.status == 200, "\(error)")
                #expect(await scene.service.log(5).dropFirst(3) == ["DELETE t1 1", "CLOSED t1"])
            }
        }
    }

    @Test func `the token is not printed`() async throws {
        let secret = "c2VjcmV0LXRva2Vu"
        let scene = try StreamScene()
        scene.service.fail(.put, .reply(201, secret, type: "text/plain"))
        let error = try await failure(scene.read())
        #expect(error.status == 404, "the service does not know this token")
        #expect(!"\(error) \(error.reason) \(error.trail)".contains(secret))
    }
}
