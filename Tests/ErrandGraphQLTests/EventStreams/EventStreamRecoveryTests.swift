import Errand
import ErrandGraphQL
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Lost responses of operations, and streams that the service does not know.
@Suite(.timeLimit(.minutes(1))) struct EventStreamRecoveryTests {
    /// Starts two subscriptions. The response of the second operation is lost after the first subscription has received
    /// an update.
    private func losingResponse(_ scene: StreamScene) async throws -> (first: Reader, second: Reader) {
        let lost = Gate()
        let updates = try scene.updates()
        let first = Task {
            var texts: [String] = []
            for try await update in updates {
                texts.append(update.commentAdded.text)
                lost.open()
            }
            return texts
        }
        _ = await scene.service.log(3)
        scene.service.fail(.post, .lost(lost))
        let second = try scene.read()
        _ = await scene.service.log(4)
        return (first, second)
    }

    private typealias Reader = Task<[String], any Error>

    @Test func `updates before a lost response of the operation are delivered`() async throws {
        let scene = try StreamScene()
        let (first, second) = try await losingResponse(scene)
        scene.service.emit("a", to: "2")
        // The stream delivers in order, so the first subscription opens the gate after the update of the second one.
        scene.service.emit("x", to: "1")
        scene.service.emit("b", to: "2")
        for id in ["2", "1"] { scene.service.complete(id) }
        #expect(try await second.value == ["a", "b"])
        #expect(try await first.value == ["x"])
        #expect(await scene.service.log(5) == ["PUT", "GET t1", "POST t1 1", "POST t1 2", "CLOSED t1"])
    }

    @Test func `an operation that ends before its lost response is not sent again`() async throws {
        let scene = try StreamScene()
        let (first, second) = try await losingResponse(scene)
        scene.service.complete("2")
        scene.service.emit("x", to: "1")
        #expect(try await second.value == [])
        scene.service.complete("1")
        #expect(try await first.value == ["x"])
        #expect(await scene.service.log(5) == ["PUT", "GET t1", "POST t1 1", "POST t1 2", "CLOSED t1"])
    }

    @Test func `updates during the wait after a lost response are delivered`() async throws {
        let clock = ManualClock()
        let scene = try StreamScene(time: clock)
        let (first, second) = try await losingResponse(scene)
        scene.service.emit("x", to: "1")
        try await clock.waitForSleepers()
        scene.service.emit("a", to: "2")
        scene.service.complete("2")
        scene.service.complete("1")
        #expect(try await first.value == ["x"])
        clock.advance(by: .seconds(3))
        #expect(try await second.value == ["a"])
    }

    @Test func `a stream that the service does not know is replaced for all subscriptions`() async throws {
        let scene = try StreamScene()
        let first = try scene.read()
        _ = await scene.service.log(3)
        scene.service.fail(.post, .reply(404, ""))
        let second = try scene.read()
        let log = await scene.service.log(9)
        #expect(log.prefix(4) == ["PUT", "GET t1", "POST t1 1", "POST 404"])
        #expect(Set(log.dropFirst(4)) == ["CLOSED t1", "PUT", "GET t2", "POST t2 1", "POST t2 2"])
        #expect(scene.clock.waits == [.seconds(3)])
        for id in ["1", "2"] {
            scene.service.emit("a", to: id)
            scene.service.complete(id)
        }
        #expect(try await first.value == ["a"])
        #expect(try await second.value == ["a"])
    }

    @Test func `an unknown stream ends all subscriptions if it is not opened again`() async throws {
        var options = EventOptions()
        options.reconnects = false
        let scene = try StreamScene(options)
        let first = try scene.read()
        _ = await scene.service.log(3)
        scene.service.fail(.post, .reply(404, ""))
        let second = try scene.read()
        let failures = [first, second].map { task in
            Task { await #expect(throws: ServiceError.self) { try await task.value } }
        }
        #expect(await failures[1].value?.status == 404)
        let error = await failures[0].value
        #expect(error?.code == .connectionLost)
        #expect(
            error?.reason == "expected the service to know the event stream, found status 404 for an operation")
    }

    @Test func `status 404 with GraphQL errors ends only its own subscription`() async throws {
        let scene = try StreamScene()
        let first = try scene.read()
        _ = await scene.service.log(3)
        scene.service.fail(.post, .reply(404, SubscriptionScene.refusal))
        let second = try scene.read()
        let error = await #expect(throws: ServiceError.self) { try await second.value }
        #expect(error?.status == 404 && error?.graphQLErrors.count == 1)
        scene.service.emit("a", to: "1")
        scene.service.complete("1")
        #expect(try await first.value == ["a"])
    }

    @Test func `an event without a valid ID is skipped and counted for each subscription`() async throws {
        var options = EventOptions()
        options.skipsUndecodable = true
        let scene = try StreamScene(options)
        let updates = try scene.updates()
        let task = Task { try await updates.all() }
        _ = await scene.service.log(3)
        scene.service.write("event: next\ndata: {}\n\nevent: complete\ndata: x\n\n")
        scene.service.emit("a", to: "1")
        scene.service.complete("1")
        #expect(try await task.value == ["a"])
        #expect(updates.skippedCount == 2)
    }

    @Test(arguments: [EventOptions.Statuses.standard, .lenient])
    func `a stream that is refused with GraphQL errors has them`(statuses: EventOptions.Statuses) async throws {
        var options = EventOptions()
        options.statuses = statuses
        let refusal = SingleConnectionService.Fault.reply(statuses == .lenient ? 200 : 403, SubscriptionScene.refusal)
        for method in [HTTPMethod.put, .get] {
            let scene = try StreamScene(options)
            scene.service.fail(method, refusal)
            scene.service.fail(.post, .reply(202, ""))
            let error = await #expect(throws: ServiceError.self) { try await scene.read().value }
            #expect(error?.graphQLErrors.map(\.code) == ["FORBIDDEN"], "\(method): \(String(describing: error))")
        }
    }
}
