import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CoalescingInterceptorTests {
    private func request(
        _ path: String = "/a", _ method: HTTPMethod = .get, _ configure: (inout APIRequest) -> Void = { _ in }
    ) throws -> APIRequest {
        var request = APIRequest(
            head: URLRequest(url: try #require(URL(string: "http://api.test" + path))), body: .none)
        request.method = method
        configure(&request)
        return request
    }

    @Test func `a thousand concurrent calls share one request and its response`() async throws {
        let gate = Gate()
        let script = ScriptedSession { _ in
            await gate.wait()
            return .text("x")
        }
        let interceptor = CoalescingInterceptor()
        let session = script.intercepted(by: interceptor)
        let request = try request()
        try await withThrowingTaskGroup(of: Data?.self) { group in
            for _ in 0..<1_000 { group.addTask { try await session.send(request).body.data } }
            try await Soak.wait { interceptor.waiting == 1_000 }
            gate.open()
            var bodies = 0
            for try await body in group where body == Data("x".utf8) { bodies += 1 }
            #expect(bodies == 1_000)
        }
        #expect(script.recorded.count == 1 && interceptor.waiting == 0)
        _ = try await session.send(request)
        #expect(script.recorded.count == 2, "no response is stored")
    }

    enum TenantKey: RequestOptionKey { static let defaultValue: String? = nil }

    /// An option key that allows sharing if the values are equal.
    enum LabelKey: RequestOptionKey {
        static let defaultValue = "none"

        static func sharedValue(_ value: String) -> (any Hashable & Sendable)? { value }
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        let name: String
        let isShared: Bool
        var method: HTTPMethod = .get
        let change: @Sendable (inout APIRequest) -> Void
        var testDescription: String { name }
    }

    static let pairs: [Pair] = [
        Pair(name: "identical requests", isShared: true) { _ in },
        Pair(name: "another URL", isShared: false) { $0.url = URL(string: "http://api.test/b") },
        Pair(name: "another query", isShared: false) { $0.url = URL(string: "http://api.test/a?p=2") },
        Pair(name: "another header", isShared: false) { $0.head.setValue("de", forHTTPHeaderField: "Accept-Language") },
        Pair(name: "another trace", isShared: true) { $0.head.setValue("00-1", forHTTPHeaderField: "traceparent") },
        Pair(name: "another user", isShared: false) { $0.options.identity = Credentials.Identity("b") },
        Pair(name: "another value of a custom option", isShared: false) {
            $0.options[TenantKey.self] = "b"
        },
        Pair(name: "another tenant", isShared: false) {
            $0.options.redaction.hide("X-Tenant")
            $0.head.setValue("b", forHTTPHeaderField: "X-Tenant")
        },
        Pair(name: "another token", isShared: false) {
            $0.head.setValue("Bearer 2", forHTTPHeaderField: "Authorization")
        },
        Pair(name: "another body limit", isShared: false) { $0.options.delivery = .buffered(upTo: 9) },
        Pair(name: "another redirect policy", isShared: false) { $0.options.redirects = .manual },
        Pair(name: "the default redirect policy", isShared: true) { $0.options.redirects = .follow },
        Pair(name: "another value of a key that allows sharing", isShared: false) { $0.options[LabelKey.self] = "b" },
        Pair(name: "the default of a key that allows sharing", isShared: true) { $0.options[LabelKey.self] = "none" },
        Pair(name: "another condition", isShared: false) {
            $0.options.precondition = .ifModified(ResourceValidators(["ETag": "\"b\""]))
        },
        Pair(name: "the default condition", isShared: true) { $0.options.precondition = nil },
        Pair(name: "another deadline", isShared: true) { $0.options.deadline = .after(.seconds(60)) },
        Pair(name: "another priority", isShared: true) { $0.options.priority = 1 },
        Pair(name: "streamed", isShared: false) { $0.options.delivery = .streamed },
        Pair(name: "POST twice", isShared: false, method: .post) { _ in },
        Pair(name: "QUERY twice", isShared: true, method: .query) { _ in },
        Pair(name: "QUERY with another body", isShared: false, method: .query) { $0.body = .data(Data("y".utf8)) },
        Pair(name: "QUERY with a body from a file", isShared: false, method: .query) {
            $0.body = .file(URL(filePath: "/dev/null"))
        },
        Pair(name: "DELETE twice", isShared: false, method: .delete) { _ in },
    ]

    @Test func `a nil identity is the same as no identity`() async throws {
        let gate = Gate()
        let script = ScriptedSession { _ in
            await gate.wait()
            return .text("x")
        }
        let interceptor = CoalescingInterceptor()
        let session = script.intercepted(by: interceptor)
        let plain = try request("/a") { $0.options.identity = nil }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { _ = try await session.send(plain).body.collect() } }
            try await Soak.wait { script.recorded.count + interceptor.waiting >= 3 }
            gate.open()
            try await group.waitForAll()
        }
        #expect(script.recorded.count == 1)
        let secret = try request("/a") {
            $0.options.identity = nil
            $0.head.setValue("Bearer 1", forHTTPHeaderField: "Authorization")
        }
        let error = await #expect(throws: ServiceError.self) { try await session.send(secret) }
        #expect(error?.code == .configuration && script.recorded.count == 1)
    }

    @Test(arguments: pairs) func `only equivalent requests are shared`(pair: Pair) async throws {
        let gate = Gate()
        let script = ScriptedSession { _ in
            await gate.wait()
            return .text("x")
        }
        let interceptor = CoalescingInterceptor()
        let session = script.intercepted(by: interceptor)
        let first = try request("/a", pair.method) {
            if pair.method == .query { $0.body = .data(Data("x".utf8)) }
            $0.options.identity = Credentials.Identity("a")
            $0.head.setValue("Bearer 1", forHTTPHeaderField: "Authorization")
        }
        var second = first
        pair.change(&second)
        let requests = [first, second]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for request in requests { group.addTask { _ = try await session.send(request).body.collect() } }
            try await Soak.wait { script.recorded.count + interceptor.waiting >= (pair.isShared ? 3 : 2) }
            try await Soak.wait { pair.isShared || script.recorded.count == 2 }
            gate.open()
            try await group.waitForAll()
        }
        #expect(script.recorded.count == (pair.isShared ? 1 : 2))
    }

    /// A caller that joins at the end of a transfer receives its response or starts a new transfer.
    @Test func `callers that join when a transfer ends receive a response`() async throws {
        let script = ScriptedSession { _ in .text("x") }
        let interceptor = CoalescingInterceptor()
        let session = script.intercepted(by: interceptor)
        let request = try request()
        let count = TestEnvironment.rounds(5_000, heavy: 50_000, patient: 500)
        let ended = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    var ended = 0
                    for _ in 0..<(count / 16) where (try? await session.send(request).body.data) == Data("x".utf8) {
                        ended += 1
                    }
                    return ended
                }
            }
            return await group.reduce(0, +)
        }
        #expect(ended == count / 16 * 16 && interceptor.waiting == 0)
    }

    @Test func `cancelling the first caller does not fail the others`() async throws {
        let clock = ManualClock()
        let script = ScriptedSession([.text("x").delayed(by: .seconds(1))])
        let interceptor = CoalescingInterceptor()
        let session = script.intercepted(by: interceptor)
        let request = try request { $0.options.time = clock }
        let leader = Task { try await session.send(request) }
        try await clock.waitForSleepers()
        let follower = Task { try await session.send(request) }
        try await Soak.wait { interceptor.waiting == 2 }
        leader.cancel()
        await #expect(throws: CancellationError.self) { try await leader.value }
        try await clock.advance(by: .seconds(1), sleeping: 1)
        #expect(try await follower.value.body.data == Data("x".utf8))
        #expect(script.recorded.count == 1)
    }

    @Test func `cancelling the last caller ends the transfer`() async throws {
        let ended = Locked(0)
        let script = ScriptedSession { _ in
            await waitUntilCancelled()
            ended.withLock { $0 += 1 }
            return .text("never")
        }
        let interceptor = CoalescingInterceptor()
        let session = script.intercepted(by: interceptor)
        let request = try request()
        for round in 1...2 {
            let calls = (1...2).map { _ in Task { try await session.send(request) } }
            try await Soak.wait { interceptor.waiting == 2 && script.recorded.count == round }
            for call in calls { call.cancel() }
            for call in calls { await #expect(throws: CancellationError.self) { try await call.value } }
            try await Soak.wait { ended.withLock { $0 } == round }
            #expect(interceptor.waiting == 0)
        }
    }

    @Test func `every caller receives the error of the transfer`() async throws {
        let gate = Gate()
        let script = ScriptedSession { _ in
            await gate.wait()
            throw ServiceError(.connection, "refused")
        }
        let interceptor = CoalescingInterceptor()
        let session = script.intercepted(by: interceptor)
        let request = try request()
        let calls = (1...3).map { _ in Task { try await session.send(request) } }
        try await Soak.wait { interceptor.waiting == 3 }
        gate.open()
        for call in calls {
            let error = await #expect(throws: ServiceError.self) { try await call.value }
            #expect(error?.code == .connection)
        }
        #expect(script.recorded.count == 1 && interceptor.waiting == 0)
    }

    @Test func `each caller keeps its own deadline`() async throws {
        let clock = ManualClock()
        let script = ScriptedSession([.text("x").delayed(by: .seconds(9))])
        let interceptor = CoalescingInterceptor()
        let session = script.intercepted(by: interceptor)
        let hasty = try request { ($0.options.time, $0.options.deadline) = (clock, .after(.seconds(2), on: clock)) }
        let patient = try request { $0.options.time = clock }
        let first = Task { try await session.send(hasty) }
        try await clock.waitForSleepers(2)
        let second = Task { try await session.send(patient) }
        try await Soak.wait { interceptor.waiting == 2 }
        try await clock.advance(by: .seconds(2), sleeping: 2)
        let error = await #expect(throws: ServiceError.self) { try await first.value }
        #expect(error?.code == .timeout)
        try await clock.advance(by: .seconds(9), sleeping: 1)
        #expect(try await second.value.body.data == Data("x".utf8))
    }

    @Test func `inner interceptors see the longest time left and highest urgency`() async throws {
        let clock = ManualClock()
        let options = Locked<RequestOptions?>(nil)
        let gate = Gate()
        let script = ScriptedSession { request in
            options.withLock { $0 = request.options }
            await gate.wait()
            return .text("x")
        }
        let interceptor = CoalescingInterceptor()
        let session = script.intercepted(by: interceptor)
        let seen = { options.withLock { $0.map { ($0.timeLeft, $0.urgency, $0.deadline == nil) } } }
        let calls: [(Duration?, Double)] = [(.seconds(5), 0.2), (.seconds(9), 0.1), (.seconds(3), 0.9), (nil, 0.5)]
        let expected: [(Duration?, Double)] = [(.seconds(5), 0.2), (.seconds(9), 0.2), (.seconds(9), 0.9), (nil, 0.9)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, (time, priority)) in calls.enumerated() {
                let request = try request {
                    $0.options.deadline = time.map { .after($0, on: clock) }
                    $0.options.priority = priority
                }
                group.addTask { _ = try await session.send(request) }
                try await Soak.wait { interceptor.waiting == index + 1 && seen() != nil }
                try await Soak.wait { seen().map { ($0.0, $0.1) == expected[index] } == true }
                #expect(seen()?.2 == true)
            }
            gate.open()
            try await group.waitForAll()
        }
    }

    @Test func `a Retry-After delay beyond all deadlines is not awaited`() async throws {
        let clock = ManualClock()
        let script = ScriptedSession([.text("busy", status: 503).header("Retry-After", "30")])
        let session: StandardSession = .standard(breaker: nil, rateLimit: nil, over: script)
        let request = try request { ($0.options.time, $0.options.deadline) = (clock, .after(.seconds(3), on: clock)) }
        #expect(try await session.send(request).head.status == 503)
    }

    @Test(arguments: [("Authorization", "Bearer 1"), ("Cookie", "sid=1"), ("X-Api-Key", "1")])
    func `credentials without an identity are rejected`(name: String, value: String) async throws {
        let script = ScriptedSession([.text("x")])
        let call = try request { $0.head.setValue(value, forHTTPHeaderField: name) }
        let error = await #expect(throws: ServiceError.self) {
            try await script.intercepted(by: CoalescingInterceptor()).send(call)
        }
        #expect(error?.code == .configuration && error?.description.contains(value) == false)
        _ = try await script.intercepted(by: IdentityInterceptor(), CoalescingInterceptor()).send(call)
        #expect(script.recorded.count == 1)
    }
}
