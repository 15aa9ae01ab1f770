import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Concurrent calls that wait for one host: order of admission, cancellation and wake-up.
@Suite(.timeLimit(.minutes(3))) struct RateLimitWaitingTests {
    private let clock = ManualClock()
    private let gate = Gate()
    private let journal = Journal()

    /// The sent requests in order, and the current and maximum numbers of concurrent calls.
    private final class Journal: Sendable {
        private let state = Locked((paths: [String](), now: 0, most: 0))
        var paths: [String] { state.withLock { $0.paths } }
        var most: Int { state.withLock { $0.most } }

        func begin(_ path: String) {
            state.withLock { state in
                state.paths.append(path)
                state.now += 1
                state.most = max(state.most, state.now)
            }
        }

        func end() {
            state.withLock { $0.now -= 1 }
        }
    }

    private func request(
        _ path: String = "/a", _ priority: Double = 0.5, _ configure: (inout RequestOptions) -> Void = { _ in }
    ) throws -> APIRequest {
        var request = APIRequest(
            head: URLRequest(url: try #require(URL(string: "http://api.test\(path)"))), body: .none)
        request.options.priority = priority
        request.options.time = clock
        request.options.trail = Trail.Recorder(on: clock)
        configure(&request.options)
        return request
    }

    /// A session that holds calls to `/hang` until the gate opens.
    private func hanging() -> ScriptedSession {
        ScriptedSession { [gate, journal] request in
            journal.begin(request.path)
            if request.path == "/hang" { await gate.wait() }
            return request.path == "/fail" ? .failure(ServiceError(.connection, "x")) : .text("x")
        }
    }

    private func interceptor(_ change: (inout RateLimitInterceptor.Policy) -> Void = { $0.concurrency = 1 })
        -> RateLimitInterceptor
    {
        var policy = RateLimitInterceptor.Policy()
        change(&policy)
        return RateLimitInterceptor(policy)
    }

    /// Starts calls one after the other, each when the previous one waits.
    private func queue(
        _ requests: [APIRequest], _ interceptor: RateLimitInterceptor, _ session: any APISession
    ) async throws -> [Task<APIResponse, any Error>] {
        var calls: [Task<APIResponse, any Error>] = []
        let before = interceptor.waiting(for: requests.first?.url)
        for request in requests {
            calls.append(Task { try await session.send(request) })
            try await Soak.wait { interceptor.waiting(for: request.url) == before + calls.count }
        }
        return calls
    }

    /// Occupies the only slot.
    private func occupy(_ session: any APISession) async throws -> Task<APIResponse, any Error> {
        let request = try request("/hang")
        let call = Task { try await session.send(request) }
        try await Soak.wait { journal.paths == ["/hang"] }
        return call
    }

    @Test func `calls are admitted by priority, then in order of arrival`() async throws {
        let interceptor = interceptor()
        let session = hanging().intercepted(by: interceptor)
        let first = try await occupy(session)
        let requests = try [
            request("/1"), request("/fail", 1), request("/2"), request("/last", 0), request("/3", .nan),
            request("/0", 0.9),
        ]
        let calls = try await queue(requests, interceptor, session)
        gate.open()
        for call in [first] + calls { _ = await call.result }
        #expect(journal.paths == ["/hang", "/fail", "/0", "/1", "/2", "/3", "/last"])
        #expect(interceptor.hosts == 0)
    }

    @Test func `a waiting shared call takes the highest priority of its callers`() async throws {
        let interceptor = interceptor()
        let coalescing = CoalescingInterceptor()
        let session = hanging().intercepted(by: coalescing, interceptor)
        let first = try await occupy(session)
        var calls = try await queue(
            [request("/1", 0.6), request("/shared", 0.1), request("/2", 0.5)], interceptor, session)
        let urgent = try request("/shared", 0.9)
        let waiting = coalescing.waiting
        calls.append(Task { try await session.send(urgent) })
        try await Soak.wait { coalescing.waiting == waiting + 1 }
        gate.open()
        for call in [first] + calls { _ = try await call.value }
        #expect(journal.paths == ["/hang", "/shared", "/1", "/2"])
        #expect(interceptor.hosts == 0)
    }

    @Test func `a cancelled waiter leaves at once, and other waiters proceed`() async throws {
        let interceptor = interceptor()
        let session = hanging().intercepted(by: interceptor)
        let first = try await occupy(session)
        let requests = try (1...5).map { try request("/\($0)") }
        let calls = try await queue(requests, interceptor, session)
        for index in [0, 3] { calls[index].cancel() }
        for index in [0, 3] { await #expect(throws: CancellationError.self) { try await calls[index].value } }
        #expect(interceptor.waiting(for: requests[0].url) == 3)
        #expect(
            requests[0].options.trail?.trail.events.map(\.message)
                == ["gave up after 0.0 ms: the policy's number of concurrent requests is reached"])
        gate.open()
        for index in [1, 2, 4] { _ = try await calls[index].value }
        _ = try await first.value
        #expect(journal.paths == ["/hang", "/2", "/3", "/5"])
    }

    @Test func `a cancelled call frees its slot`() async throws {
        let interceptor = interceptor()
        let session = hanging().intercepted(by: interceptor)
        let first = try await occupy(session)
        let calls = try await queue([request("/1")], interceptor, session)
        first.cancel()
        _ = await first.result
        #expect(try await calls[0].value.head.status == 200)
    }

    @Test func `a task that is already cancelled takes no slot`() async throws {
        let interceptor = interceptor()
        let session = hanging().intercepted(by: interceptor)
        let first = try await occupy(session)
        let late = try request("/late")
        let call = Task {
            await waitUntilCancelled()
            return try await session.send(late)
        }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(interceptor.waiting(for: late.url) == 0)
        gate.open()
        _ = try await first.value
        #expect(interceptor.hosts == 0)
    }

    @Test func `a streamed call frees its slot at the header section`() async throws {
        let session = ScriptedSession { _ in .text("x") }.intercepted(by: interceptor())
        let first = try await session.send(request { $0.delivery = .streamed })
        let second = try await session.send(request { $0.delivery = .streamed })
        #expect(try await first.body.collect() == second.body.collect())
    }

    @Test func `the deadline ends the wait for a slot`() async throws {
        let interceptor = interceptor()
        let session = hanging().intercepted(by: interceptor)
        let first = try await occupy(session)
        let request = try request("/1") { [clock] in $0.deadline = .after(.seconds(5), on: clock) }
        let call = Task { try await session.send(request) }
        try await clock.advance(by: .seconds(5), sleeping: 1)
        let error = await #expect(throws: ServiceError.self) { try await call.value }
        #expect(error?.code == .timeout && interceptor.waiting(for: request.url) == 0)
        gate.open()
        _ = try await first.value
        #expect(interceptor.hosts == 0 && journal.paths == ["/hang"])
    }

    @Test func `waiters for a rate share one alarm, which ends with them`() async throws {
        let interceptor = interceptor { $0.rate = .init(1, per: .seconds(1)) }
        let session = hanging().intercepted(by: interceptor)
        _ = try await session.send(request("/0"))
        let calls = try await queue((1...20).map { try request("/\($0)") }, interceptor, session)
        try await clock.waitForSleepers()
        #expect(clock.sleepers == 1)
        for index in 0..<3 {
            try await clock.advance(by: .seconds(1), sleeping: 1)
            _ = try await calls[index].value
        }
        #expect(journal.paths == ["/0", "/1", "/2", "/3"])
        for call in calls { call.cancel() }
        for call in calls { _ = await call.result }
        try await Soak.wait { clock.sleepers == 0 }
    }

    @Test func `waiters are refused at once when their wait becomes too long`() async throws {
        let script = ScriptedSession { [gate] _ in
            await gate.wait()
            return .status(429).header("Retry-After", "100")
        }
        let interceptor = interceptor()
        let session = script.intercepted(by: interceptor)
        let (one, two) = (try request("/1"), try request("/2"))
        let first = Task { try await session.send(one) }
        try await Soak.wait { script.recorded.count == 1 }
        let calls = try await queue([two], interceptor, session)
        gate.open()
        _ = try await first.value
        let error = await #expect(throws: ServiceError.self) { try await calls[0].value }
        #expect(error?.code == .rateLimited && error?.retryAfter == .seconds(100))
        #expect(
            two.options.trail?.trail.events.map(\.message) == [
                "refused after 0.0 ms: a wait of 100000.0 ms would be too long: the server's limit is reached"
            ])
    }

    @Test func `a thousand calls never exceed a concurrency of four`() async throws {
        let interceptor = interceptor { $0.concurrency = 4 }
        let script = ScriptedSession { [journal] request in
            journal.begin(request.path)
            for _ in 1...3 { await Task.yield() }
            journal.end()
            return .text("x")
        }
        let session = script.intercepted(by: interceptor)
        let request = try request()
        let ended = await withTaskGroup(of: Bool.self) { group in
            for _ in 1...1_000 { group.addTask { (try? await session.send(request)) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(ended == 1_000 && journal.most == 4)
        #expect(interceptor.hosts == 0)
    }

    @Test func `random cancellations lose no slot`() async throws {
        let interceptor = interceptor { $0.concurrency = 2 }
        let script = ScriptedSession { _ in
            await Soak.wait(.microseconds(200))
            return .text("x")
        }
        let session = script.intercepted(by: interceptor)
        let request = try request()
        let outcome = await Soak.run(TestEnvironment.rounds(500, heavy: 10_000), width: 16, seed: 5) {
            _ = try await session.send(request)
        }
        #expect(outcome.others.isEmpty && outcome.cancelled > 0 && outcome.finished > 0)
        #expect(interceptor.hosts == 0)
        _ = try await session.send(request)
    }
}
