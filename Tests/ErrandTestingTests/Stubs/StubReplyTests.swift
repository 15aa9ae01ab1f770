import Errand
import ErrandTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct StubReplyTests {
    @Test func `a status, headers and a chunked body arrive`() async throws {
        let stub = StubSession()
        let parts = ["one ", "two ", "", "three"].map { Data($0.utf8) }
        stub.on(.any, reply: .chunks(parts, type: "text/plain", status: 299).header("X-A", "1").header("X-A", "2"))
        let response = try await stub.send(APIRequest(URLRequest(url: stub.url)))
        let text = try await told(response)
        #expect(text == "299 one two three")
        #expect(response.head.headers["x-a"] == "1, 2" && response.head.headers["content-type"] == "text/plain")
    }

    @Test func `the delay and the pauses use the stub's clock`() async throws {
        let clock = ManualClock()
        let stub = StubSession(time: clock)
        let parts = ["a", "b", "c"].map { Data($0.utf8) }
        stub.on(.any, reply: .chunks(parts).delayed(by: .seconds(3_600)).pausing(.seconds(60)))
        async let response = stub.call()
        try await clock.advance(by: .seconds(3_600), sleeping: 1)
        try await clock.advance(by: .seconds(60), sleeping: 1)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(59))
        #expect(clock.sleepers == 1)
        clock.advance(by: .seconds(1))
        let received = try await response
        #expect(received == "200 abc")
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        let reply: CannedReply
        let code: ServiceError.Code
        let testDescription: String
    }

    static let failures: [Failure] = [
        Failure(reply: .failure(URLError(.notConnectedToInternet)), code: .connection, testDescription: "offline"),
        Failure(reply: .failure(URLError(.timedOut)), code: .timeout, testDescription: "timed out"),
        Failure(
            reply: .failure(URLError(.serverCertificateUntrusted)).delayed(by: .milliseconds(1)), code: .tls,
            testDescription: "not trusted, delayed"),
        Failure(
            reply: .text("0123456789").truncatingBody(after: 4), code: .connectionLost, testDescription: "truncated"),
        Failure(
            reply: .text("0123456789").truncatingBody(after: 0), code: .connectionLost,
            testDescription: "truncated at 0"),
    ]

    @Test(arguments: failures)
    func `an error arrives with its code`(row: Failure) async throws {
        let stub = StubSession()
        stub.on(.any, reply: row.reply)
        let error = await #expect(throws: ServiceError.self) { try await stub.call() }
        #expect(error?.code == row.code)
    }

    static let silent: [CannedReply] = [
        .stall, .text("0123").stallingBody(after: 2), .text("x").delayed(by: .seconds(3_600)),
    ]

    @Test(arguments: silent.indices)
    func `a silent reply ends by the deadline or the idle timeout`(index: Int) async throws {
        let stub = StubSession()
        stub.on(.any, reply: Self.silent[index])
        let late = await #expect(throws: ServiceError.self) {
            try await stub.call { $0.deadline = .after(.milliseconds(30)) }
        }
        #expect(late?.code == .timeout)
        let idle = await #expect(throws: ServiceError.self) {
            try await stub.call { $0.idleTimeout = .milliseconds(30) }
        }
        #expect(idle?.code == .timeout)
    }

    @Test func `a silent reply ends when its request is cancelled`() async throws {
        let stub = StubSession()
        let (came, coming) = AsyncStream<Void>.makeStream()
        stub.on(.any) { _ in
            coming.yield()
            return .stall
        }
        let call = Task { try await stub.call() }
        for await _ in came { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func `cancellation discards a delayed reply`() async throws {
        let clock = ManualClock()
        let stub = StubSession(time: clock)
        stub.on(.any, reply: .text("late").delayed(by: .seconds(1)), .text("next").delayed(by: .seconds(2)))
        let call = Task { try await stub.call() }
        try await clock.waitForSleepers()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        while clock.sleepers > 0, !Task.isCancelled { await Task.yield() }
        async let response = stub.call()
        try await clock.advance(by: .seconds(2), sleeping: 1)
        let received = try await response
        #expect(received == "200 next" && clock.sleepers == 0)
    }

    @Test func `a response to HEAD has no body`() async throws {
        let stub = StubSession()
        stub.on(.head, "/", reply: .chunks([Data("a".utf8), Data("b".utf8)]).pausing(.seconds(3_600)))
        let response = try await stub.call(.head) { $0.deadline = .after(.seconds(10)) }
        #expect(response == "200 ")
    }

    static let bare: [CannedReply] = [
        CannedReply.text("no", status: 401).header("WWW-Authenticate", #"Basic realm="x""#),
        CannedReply.text("no", status: 302).header("Location", "http://elsewhere.test/"),
        CannedReply.text("no", status: 500),
        CannedReply.text("no", status: 407),
        CannedReply.text("no", status: 401).header("WWW-Authenticate", #"Basic realm="x""#).delayed(
            by: .milliseconds(1)),
    ]

    @Test(arguments: bare.indices)
    func `every status is a response, including challenges and redirects`(index: Int) async throws {
        let stub = StubSession()
        stub.on(.any, reply: Self.bare[index])
        let response = try await stub.call { $0.redirects = .manual }
        #expect(response.hasSuffix(" no"))
        #expect(stub.recorded.count == 1)
    }

    struct Steps: Sendable, CustomTestStringConvertible {
        let reply: CannedReply
        var hasBody = true
        var inOnePart = false
        var skippingEmptyParts = true
        let told: String
        var testDescription: String { told }
    }

    private static let parts = CannedReply.chunks(["a", "", "b", "c"].map { Data($0.utf8) })
    static let steps: [Steps] = [
        Steps(reply: parts, told: "200 a b c end"),
        Steps(reply: parts.delayed(by: .seconds(1)).pausing(.seconds(2)), told: "(1) 200 a (2) b (2) c end"),
        Steps(reply: parts.pausing(.seconds(2)), inOnePart: true, told: "200 (2) (2) abc end"),
        Steps(reply: parts.pausing(.seconds(2)), hasBody: false, told: "200 end"),
        Steps(reply: parts.pausing(.seconds(2)), skippingEmptyParts: false, told: "200 a (2)  (2) b (2) c end"),
        Steps(reply: parts.truncatingBody(after: 2), told: "200 a b error"),
        Steps(reply: parts.stallingBody(after: 1), told: "200 a"),
        Steps(reply: .status(204), inOnePart: true, told: "204 end"),
        Steps(reply: .failure(URLError(.timedOut)).delayed(by: .seconds(-1)), told: "error"),
        Steps(reply: .stall, told: ""),
    ]

    @Test(arguments: steps)
    func `a reply is delivered in steps`(row: Steps) {
        let steps = row.reply.steps(
            hasBody: row.hasBody, inOnePart: row.inOnePart, skippingEmptyParts: row.skippingEmptyParts)
        let told = steps.map { step in
            switch step {
            case .wait(let duration): "(\(duration.components.seconds))"
            case .head(let head): "\(head.status)"
            case .data(let data): String(decoding: data, as: UTF8.self)
            case .finish: "end"
            case .fail: "error"
            }
        }
        #expect(told.joined(separator: " ") == row.told)
    }
}
