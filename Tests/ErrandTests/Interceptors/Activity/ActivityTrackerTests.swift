import Errand
import ErrandSupport
import ErrandTesting
import Observation
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct ActivityTrackerTests {
    private func request(_ configure: (inout RequestOptions) -> Void = { _ in }) throws -> APIRequest {
        var request = APIRequest(head: URLRequest(url: try #require(URL(string: "http://api.test/a"))), body: .none)
        configure(&request.options)
        return request
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `requests are counted while they are in flight`() async throws {
        let tracker = ActivityTracker()
        let gate = Gate()
        let session = ScriptedSession { _ in
            await gate.wait()
            return .text("x")
        }
        .intercepted(by: tracker)
        #expect(!tracker.isActive && tracker.current == 0)
        let request = try request()
        let calls = (0..<3).map { _ in Task { try await session.send(request) } }
        try await Soak.wait { tracker.count == 3 }
        #expect(tracker.isActive && tracker.current == 3)
        gate.open()
        for call in calls { _ = try await call.value }
        #expect(tracker.current == 0, "current is up to date outside the main actor")
        try await Soak.wait { tracker.count == 0 }
        #expect(!tracker.isActive)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a failed request is no longer counted`() async throws {
        let tracker = ActivityTracker()
        let session = ScriptedSession([.failure(ServiceError(.connection, "gone")), .status(500)])
            .intercepted(by: tracker)
        let error = await #expect(throws: ServiceError.self) { try await session.send(request()) }
        #expect(error?.code == .connection)
        _ = try await session.send(request())
        #expect(tracker.current == 0)
        try await Soak.wait { tracker.count == 0 }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a cancelled request is no longer counted`() async throws {
        let tracker = ActivityTracker()
        let session = ScriptedSession([.stall]).intercepted(by: tracker)
        let request = try request()
        let call = Task { try await session.send(request) }
        try await Soak.wait { tracker.count == 1 }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(tracker.current == 0)
        try await Soak.wait { tracker.count == 0 }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a streamed request is counted until its body ends`() async throws {
        let tracker = ActivityTracker()
        let session = ScriptedSession([.chunks([Data("a".utf8), Data("b".utf8)])]).intercepted(by: tracker)
        let response = try await session.send(request { $0.delivery = .streamed })
        #expect(tracker.current == 1)
        #expect(try await response.body.collect() == Data("ab".utf8))
        #expect(tracker.current == 0)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a failed or dropped stream is no longer counted`() async throws {
        let tracker = ActivityTracker()
        let script = ScriptedSession([
            .chunks([Data("a".utf8), Data("b".utf8)]).truncatingBody(after: 1), .chunks([Data("a".utf8)]),
        ])
        let session = script.intercepted(by: tracker)
        let streamed = try request { $0.delivery = .streamed }
        let response = try await session.send(streamed)
        await #expect(throws: ServiceError.self) { try await response.body.collect() }
        #expect(tracker.current == 0)
        var dropped: APIResponse? = try await session.send(streamed)
        #expect(dropped?.head.status == 200 && tracker.current == 1)
        dropped = nil
        #expect(tracker.current == 0)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `requests do not wait for a blocked main actor`() async throws {
        let tracker = ActivityTracker()
        let changes = Locked(0)
        withObservationTracking {
            _ = tracker.count
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        let session = ScriptedSession { _ in .text("x") }.intercepted(by: tracker)
        let request = try request()
        let ended = DispatchSemaphore(value: 0)
        Task.detached {
            for _ in 0..<10 { _ = try await session.send(request) }
            ended.signal()
        }
        // The main actor is blocked here. All requests begin and end without it.
        #expect(waits(for: ended))
        #expect(tracker.current == 0 && tracker.count == 0)
        await Task.yield()
        #expect(changes.withLock { $0 } == 0, "no request was in flight when the main actor ran")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `changes are published together when the main actor runs`() {
        var counter = ActivityCounter()
        // The first change schedules an update. Later changes do not schedule another until it has run.
        let tells = [counter.begin(), counter.begin(), counter.end()]
        let heard = counter.publish()
        let tellsAgain = counter.end()
        let heardAgain = counter.publish()
        #expect(tells == [true, false, false] && heard == 1)
        #expect(tellsAgain && heardAgain == 0)
    }

    /// Blocks the main actor for at most ten seconds times `TestEnvironment.patience`.
    private func waits(for semaphore: DispatchSemaphore) -> Bool {
        semaphore.wait(timeout: .now() + .seconds(10 * TestEnvironment.patience)) == .success
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `the count returns to zero after many random requests`() async throws {
        let tracker = ActivityTracker()
        let session = ScriptedSession { _ in
            await Task.yield()
            return .text("x")
        }
        .intercepted(by: tracker)
        let request = try request()
        let outcome = await Soak.run(TestEnvironment.rounds(300, heavy: 3_000), seed: 7) {
            _ = try await session.send(request)
        }
        #expect(outcome.others.isEmpty)
        #expect(tracker.current == 0)
        try await Soak.wait { tracker.count == 0 }
    }
}
