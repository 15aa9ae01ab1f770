import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ScriptedSessionTests {
    private static func request(
        _ path: String = "/a", _ method: String = "GET", _ configure: (inout RequestOptions) -> Void = { _ in }
    ) throws -> APIRequest {
        var head = URLRequest(url: try #require(URL(string: "http://api.test\(path)")))
        head.httpMethod = method
        var options = RequestOptions()
        configure(&options)
        return APIRequest(head: head, body: .none, options: options)
    }

    @Test func `replies are used in order and requests are recorded`() async throws {
        let session = ScriptedSession([
            .status(503).header("Retry-After", "2"), .chunks([Data("a".utf8), Data("b".utf8)]),
        ])
        let first = try await session.send(Self.request("/a"))
        #expect(first.head.status == 503 && first.head.headers["retry-after"] == "2")
        let second = try await session.send(Self.request("/b?c=d", "DELETE"))
        let body = try await second.body.collect()
        #expect(body == Data("ab".utf8))
        #expect(session.recorded.map { "\($0.method) \($0.path)" } == ["GET /a", "DELETE /b"])
        try session.verify()
    }

    @Test func `verification reports unused replies and unexpected requests`() async throws {
        let session = ScriptedSession([.status(200), .status(201)])
        let unused = #expect(throws: VerificationError.self) { try session.verify() }
        #expect(unused?.description == "never used  the last 2 of the script's replies")
        for _ in 1...2 { _ = try await session.send(Self.request()) }
        let error = await #expect(throws: ServiceError.self) {
            try await session.send(Self.request("/c?access_token=s3cret"))
        }
        #expect(error?.code == .configuration)
        let unexpected = #expect(throws: VerificationError.self) { try session.verify() }
        #expect(
            unexpected?.description
                == "unexpected  GET http://api.test/c?access_token=‹redacted›: the script had no more replies")
    }

    @Test func `a handler can return the reply to each request`() async throws {
        let session = ScriptedSession { request in .text(request.path) }
        let response = try await session.send(Self.request("/x/y"))
        let body = try await response.body.collect()
        #expect(body == Data("/x/y".utf8))
        try session.verify()
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let reply: CannedReply
        var method = "GET"
        let code: ServiceError.Code
        var testDescription: String { name }
    }

    static let faults: [Fault] = [
        Fault(name: "offline", reply: .failure(URLError(.notConnectedToInternet)), code: .connection),
        Fault(name: "truncated", reply: .text("0123456789").truncatingBody(after: 4), code: .connectionLost),
        Fault(
            name: "truncated after the headers", reply: .text("0123456789").truncatingBody(after: 0),
            code: .connectionLost
        ),
        Fault(
            name: "truncated response to HEAD", reply: .text("0").truncatingBody(after: 0), method: "HEAD",
            code: .connectionLost),
        Fault(
            name: "custom error", reply: .text("x").truncatingBody(after: 9, with: ServiceError(.tls, "x")), code: .tls),
        Fault(name: "too large", reply: .text(String(repeating: "x", count: 101)), code: .bodyTooLarge),
        Fault(name: "too large in chunks", reply: .chunks([Data(count: 60), Data(count: 41)]), code: .bodyTooLarge),
    ]

    @Test(arguments: faults)
    func `a fault is an error`(row: Fault) async throws {
        let session = ScriptedSession([row.reply])
        let request = try Self.request("/", row.method) { $0.delivery = .buffered(upTo: 100) }
        let error = await #expect(throws: (any Error).self) { try await session.send(request) }
        #expect(try ServiceError(wrapping: #require(error), as: .transport, "").code == row.code)
    }

    @Test func `delays and pauses use the request's clock`() async throws {
        let clock = ManualClock()
        let reply = CannedReply.chunks([Data("a".utf8), Data("b".utf8)]).delayed(by: .seconds(2)).pausing(.seconds(3))
        let session = ScriptedSession([reply])
        let call = Task { try await session.send(Self.request { $0.time = clock }).body.collect() }
        try await clock.advance(by: .seconds(2), sleeping: 1)
        try await clock.advance(by: .seconds(3), sleeping: 1)
        let body = try await call.value
        #expect(body == Data("ab".utf8))
        #expect(clock.now == .seconds(5))
    }

    @Test func `an empty chunk has a pause like any other chunk`() async throws {
        let clock = ManualClock()
        let reply = CannedReply.chunks([Data(), Data("a".utf8), Data()]).pausing(.seconds(3))
        let session = ScriptedSession([reply, reply])
        let call = Task { try await session.send(Self.request { $0.time = clock }).body.collect() }
        for _ in 1...2 { try await clock.advance(by: .seconds(3), sleeping: 1) }
        let body = try await call.value
        #expect(body == Data("a".utf8))
        let head = try await session.send(Self.request("/a", "HEAD") { $0.time = clock }).body.collect()
        #expect(head.isEmpty && clock.now == .seconds(6))
    }

    @Test(arguments: [CannedReply.stall, .text("abc").stallingBody(after: 1), .status(200).delayed(by: .seconds(61))])
    func `a silent reply ends by the idle timeout`(reply: CannedReply) async throws {
        let clock = ManualClock()
        let call = Task { try await ScriptedSession([reply]).send(Self.request { $0.time = clock }) }
        try await clock.advance(by: .seconds(59), sleeping: 1)
        #expect(clock.sleepers == 1)
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: ServiceError.self) { try await call.value }
        #expect(error?.code == .timeout)
    }

    @Test func `a silent reply ends by the deadline or cancellation`() async throws {
        let clock = ManualClock()
        let session = ScriptedSession([.stall, .stall])
        let late = Task {
            try await session.send(Self.request { ($0.time, $0.deadline) = (clock, .after(.seconds(5), on: clock)) })
        }
        try await clock.advance(by: .seconds(5), sleeping: 2)
        let error = await #expect(throws: ServiceError.self) { try await late.value }
        #expect(error?.code == .timeout)
        let cancelled = Task { try await session.send(Self.request { $0.time = clock }) }
        try await clock.waitForSleepers()
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    @Test func `an invalid request is refused and not recorded`() async throws {
        let session = ScriptedSession([.status(200)])
        let error = await #expect(throws: ServiceError.self) { try await session.send(Self.request("/", "GET /x")) }
        #expect(error?.code == .encoding && session.recorded.isEmpty)
    }
}
