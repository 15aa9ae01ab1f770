import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct IdempotencyInterceptorTests {
    private struct Failed: Error {}

    /// A ledger that fails in each call.
    private struct BrokenLedger: IdempotencyLedger {
        func begin(_ key: String, request: String, owner: String, lease: Duration) throws -> IdempotencyDecision {
            throw Failed()
        }
        func finish(_ key: String, owner: String, with response: IdempotencyRecord) throws { throw Failed() }
        func abandon(_ key: String, owner: String) throws { throw Failed() }
    }

    private let ledger = MemoryIdempotencyLedger()

    private func session(_ script: ScriptedSession, _ account: String? = nil) -> any APISession {
        let session = script.intercepted(by: IdempotencyInterceptor(ledger))
        return account.map { account in
            session.intercepted(by: IdentityInterceptor { _ in Credentials.Identity(account) })
        } ?? session
    }

    private func order(
        _ session: any APISession, key: String? = "job-1", _ body: String = "tea", _ method: HTTPMethod = .post,
        _ configure: (inout RequestOptions) -> Void = { _ in }
    ) async throws -> (status: Int, body: String, notes: [String]) {
        var head = URLRequest(url: try #require(URL(string: "https://a.example/orders")))
        head.httpMethod = method.rawValue
        if let key { head.setValue(key, forHTTPHeaderField: "Idempotency-Key") }
        var request = APIRequest(head: head, body: method.isSafe ? .none : .data(Data(body.utf8)))
        let recorder = Trail.Recorder(on: SystemTime.system)
        request.options.trail = recorder
        configure(&request.options)
        let response = try await session.send(request)
        let text = String(decoding: try await response.body.collect(), as: UTF8.self)
        return (
            response.head.status, text,
            recorder.trail.events.filter { $0.source == .idempotency }.map(\.message)
        )
    }

    @Test(arguments: [RequestOptions.Delivery.buffered, .streamed])
    func `a second request with a key gets the response of the first one`(
        delivery: RequestOptions.Delivery
    ) async throws {
        let script = ScriptedSession([.json(#"{"id":1}"#, status: 201)])
        let first = try await order(session(script)) { $0.delivery = delivery }
        let second = try await order(session(script)) { $0.delivery = delivery }
        #expect(first.status == 201 && first.body == second.body && second.status == 201)
        #expect(first.notes.isEmpty && second.notes == ["the response to the same key was used, 0 s old"])
        #expect(script.recorded.count == 1)
    }

    @Test func `a request without a key, or with a safe method, is sent as usual`() async throws {
        let script = ScriptedSession(Array(repeating: .text("ok"), count: 6))
        for _ in 0..<2 {
            _ = try await order(session(script), key: nil)
            _ = try await order(session(script), key: "")
            _ = try await order(session(script), "", .get)
        }
        #expect(script.recorded.count == 6)
    }

    @Test func `another request with the same key is an error`() async throws {
        let script = ScriptedSession([.text("ok")])
        _ = try await order(session(script))
        for (body, method) in [("coffee", HTTPMethod.post), ("tea", .put)] {
            let error = await #expect(throws: ServiceError.self) {
                try await order(session(script), body, method)
            }
            #expect(error?.code == .configuration)
        }
        #expect(script.recorded.count == 1)
    }

    @Test func `the keys of accounts are separate`() async throws {
        let script = ScriptedSession([.text("1"), .text("2")])
        for account in ["one", "two"] { _ = try await order(session(script, account)) }
        #expect(script.recorded.count == 2)
    }

    @Test(arguments: [CannedReply.status(500), .status(409), .failure(Failed())])
    func `a failed request can be sent again`(reply: CannedReply) async throws {
        let script = ScriptedSession([reply, .text("ok")])
        _ = try? await order(session(script))
        #expect(try await order(session(script)).body == "ok")
        #expect(script.recorded.count == 2)
    }

    @Test func `a request waits for the same request of another task`() async throws {
        let gate = Gate()
        let script = ScriptedSession([.text("once")])
        let session = script.intercepted(by: IdempotencyInterceptor(ledger), WaitForGate(gate: gate))
        let results = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<5 { group.addTask { try await order(session).body } }
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: "once", count: 5))
        #expect(script.recorded.count == 1)
    }

    private struct WaitForGate: Interceptor {
        let gate: Gate

        func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
            await gate.wait()
            return try await next.send(request)
        }
    }

    @Test func `the wait for another task is limited, and ends when its task is cancelled`() async throws {
        let interceptor = IdempotencyInterceptor(BusyLedger(), maximumWait: .milliseconds(20))
        let script = ScriptedSession([])
        let error = await #expect(throws: ServiceError.self) {
            try await order(script.intercepted(by: interceptor))
        }
        #expect(error?.code == .timeout)
        let patient = script.intercepted(by: IdempotencyInterceptor(BusyLedger()))
        let waiting = Task { try await order(patient) }
        waiting.cancel()
        let result = await waiting.result
        #expect(throws: (any Error).self) { try result.get() }
        let late = await #expect(throws: ServiceError.self) {
            try await order(patient) { $0.deadline = .after(.milliseconds(20)) }
        }
        #expect(late?.code == .timeout && script.recorded.isEmpty)
    }

    private struct BusyLedger: IdempotencyLedger {
        func begin(_ key: String, request: String, owner: String, lease: Duration) -> IdempotencyDecision {
            .busy(lease)
        }
        func finish(_ key: String, owner: String, with response: IdempotencyRecord) {}
        func abandon(_ key: String, owner: String) {}
    }

    @Test func `the failure mode applies when the ledger fails`() async throws {
        let script = ScriptedSession([.text("ok")])
        await #expect(throws: Failed.self) {
            try await order(script.intercepted(by: IdempotencyInterceptor(BrokenLedger())))
        }
        #expect(script.recorded.isEmpty)
        let open = script.intercepted(by: IdempotencyInterceptor(BrokenLedger(), failureMode: .open))
        #expect(try await order(open).notes == ["sent without the ledger, which failed (Failed())"])
    }

    @Test func `a large body is not recorded`() async throws {
        let large = CannedReply.data(Data(count: IdempotencyInterceptor.bodyLimit + 1))
        let script = ScriptedSession([large, .text("ok")])
        let notes = try await order(session(script)).notes
        #expect(notes == ["not recorded: the body is larger than 1 MB, or has an unknown content coding"])
        #expect(try await order(session(script)).body == "ok")
    }

    @Test func `a cancelled request can be sent again`() async throws {
        let script = ScriptedSession([.stall, .text("ok")])
        let first = Task { try await order(session(script)) }
        while script.recorded.isEmpty { await Task.yield() }
        first.cancel()
        _ = await first.result
        #expect(try await order(session(script)).body == "ok")
    }

    /// Notes the last key.
    private final class SpyLedger: IdempotencyLedger {
        let ledger: MemoryIdempotencyLedger
        let key = Locked("")

        init(time: some TimeSource) { ledger = MemoryIdempotencyLedger(time: time) }

        func begin(_ key: String, request: String, owner: String, lease: Duration) -> IdempotencyDecision {
            self.key.withLock { $0 = key }
            return ledger.begin(key, request: request, owner: owner, lease: lease)
        }
        func finish(_ key: String, owner: String, with response: IdempotencyRecord) throws {
            try ledger.finish(key, owner: owner, with: response)
        }
        func abandon(_ key: String, owner: String) { ledger.abandon(key, owner: owner) }
    }

    @Test func `a long request extends its reservation`() async throws {
        let clock = ManualClock()
        let (ledger, gate) = (SpyLedger(time: clock), Gate())
        let script = ScriptedSession([.text("ok")])
        let session = script.intercepted(by: IdempotencyInterceptor(ledger), WaitForGate(gate: gate))
        let first = Task { try await order(session) { $0.time = clock } }
        for _ in 0..<10 {
            try await clock.waitForSleepers(1)
            clock.advance(by: .seconds(4))
        }
        try await clock.waitForSleepers(1)
        let name = ledger.key.withLock { $0 }
        let decision = ledger.begin(name, request: "?", owner: "?", lease: .seconds(10))
        #expect(decision.name == "other request")
        gate.open()
        #expect(try await first.value.body == "ok")
    }

    /// A ledger with functions that run after each start, and before each record.
    private struct ScriptedLedger: IdempotencyLedger {
        let ledger: MemoryIdempotencyLedger
        var afterBegin: @Sendable () async throws -> Void = {}
        var beforeFinish: @Sendable () async throws -> Void = {}

        func begin(
            _ key: String, request: String, owner: String, lease: Duration
        ) async throws -> IdempotencyDecision {
            let decision = ledger.begin(key, request: request, owner: owner, lease: lease)
            try await afterBegin()
            return decision
        }
        func finish(_ key: String, owner: String, with response: IdempotencyRecord) async throws {
            try await beforeFinish()
            try ledger.finish(key, owner: owner, with: response)
        }
        func abandon(_ key: String, owner: String) { ledger.abandon(key, owner: owner) }
    }

    @Test func `a request that succeeded before its cancellation is recorded`() async throws {
        let (reached, gate) = (Gate(), Gate())
        let scripted = ScriptedLedger(
            ledger: ledger,
            beforeFinish: {
                reached.open()
                await gate.wait()
                try Task.checkCancellation()
            })
        let script = ScriptedSession([.text("once")])
        let first = Task { try await order(script.intercepted(by: IdempotencyInterceptor(scripted))) }
        await reached.wait()
        first.cancel()
        gate.open()
        _ = await first.result
        #expect(try await order(session(script)).body == "once")
        #expect(script.recorded.count == 1)
    }

    @Test func `a response is recorded although the ledger fails twice`() async throws {
        let failures = Locked(2)
        let clock = InstantClock()
        let scripted = ScriptedLedger(
            ledger: ledger,
            beforeFinish: {
                let fails = failures.withLock { count in
                    count -= 1
                    return count >= 0
                }
                if fails { throw Failed() }
            })
        let script = ScriptedSession([.text("once"), .text("twice")])
        let session = script.intercepted(by: IdempotencyInterceptor(scripted))
        for _ in 0..<2 { #expect(try await order(session) { $0.time = clock }.body == "once") }
        #expect(script.recorded.count == 1)
        // After a third failure, the request is sent again.
        failures.withLock { $0 = 3 }
        let lost = try await order(session, key: "job-2") { $0.time = clock }
        #expect(lost.notes == ["not recorded: the ledger failed (Failed())"])
    }

    @Test func `a reservation of a cancelled task ends`() async throws {
        let reserved = Gate()
        let scripted = ScriptedLedger(
            ledger: ledger,
            afterBegin: {
                reserved.open()
                await waitUntilCancelled()
                throw Failed()
            })
        let script = ScriptedSession([.text("ok")])
        let first = Task { try await order(script.intercepted(by: IdempotencyInterceptor(scripted))) }
        await reserved.wait()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        // Without the end, the second request would wait for the rest of the lease.
        let start = SystemTime.system.now
        #expect(try await order(session(script)).body == "ok")
        #expect(SystemTime.system.now - start < IdempotencyInterceptor.lease / 2)
    }
}
