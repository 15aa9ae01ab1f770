import Errand
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

/// A sink that keeps the lines at or above a level.
private final class KeptLog: LoggingInterceptor.Sink {
    private let lowest: LoggingInterceptor.Level
    private let kept = Locked<[String]>([])

    init(from lowest: LoggingInterceptor.Level = .trace) {
        self.lowest = lowest
    }

    var lines: [String] { kept.withLock { $0 } }

    func log(_ line: String, at level: LoggingInterceptor.Level) {
        kept.withLock { $0.append("\(level.rawValue) \(line)") }
    }
    func accepts(_ level: LoggingInterceptor.Level) -> Bool { level >= lowest }
}

@Suite(.timeLimit(.minutes(1))) struct LoggingInterceptorTests {
    private let clock = InstantClock()

    private func request(_ text: String = "http://api.test/a?page=1") throws -> APIRequest {
        var request = APIRequest(head: URLRequest(url: try #require(URL(string: text))), body: .none)
        request.options.time = clock
        return request
    }

    private func intercepted(_ log: some LoggingInterceptor.Sink, _ replies: [CannedReply]) -> any APISession {
        ScriptedSession(replies).intercepted(by: LoggingInterceptor(log))
    }

    @Test func `a request logs two lines with the same number`() async throws {
        let log = KeptLog()
        let session = intercepted(
            log,
            [
                .text("hello").delayed(by: .milliseconds(1_234)), .status(404),
                .failure(ServiceError(.timeout, "silent")),
            ])
        _ = try await session.send(request())
        _ = try await session.send(request())
        await #expect(throws: ServiceError.self) { try await session.send(request()) }
        #expect(
            log.lines == [
                "info #1 GET http://api.test/a?page=1",
                "info #1 200 OK in 1234.0 ms, 5 bytes: GET http://api.test/a?page=1",
                "info #2 GET http://api.test/a?page=1",
                "error #2 404 Not Found in 0.0 ms, 0 bytes: GET http://api.test/a?page=1",
                "info #3 GET http://api.test/a?page=1",
                "error #3 timeout after 0.0 ms: GET http://api.test/a?page=1: silent",
            ])
    }

    @Test func `a stream has no size, and a cancellation is not an error`() async throws {
        let log = KeptLog()
        let script = ScriptedSession([.chunks([Data("a".utf8)]), .stall])
        let session = script.intercepted(by: LoggingInterceptor(log, level: .debug))
        var streamed = try request()
        streamed.options.delivery = .streamed
        _ = try await session.send(streamed)
        var request = try request()
        request.options.time = ManualClock()
        let call = Task { [request] in try await session.send(request) }
        try await Soak.wait { script.recorded.count == 2 }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        try #require(log.lines.count > 1)
        #expect(log.lines[1] == "debug #1 200 OK in 0.0 ms, a stream: GET http://api.test/a?page=1")
        let last = "debug #2 cancelled after 0.0 ms: GET http://api.test/a?page=1: the call was cancelled"
        #expect(log.lines.last == last)
    }

    @Test func `a sink receives only the levels that it accepts`() async throws {
        let failures = KeptLog(from: .warning)
        let session = intercepted(failures, [.text("x"), .status(503)])
        _ = try await session.send(request())
        _ = try await session.send(request())
        #expect(failures.lines == ["error #2 503 Service Unavailable in 0.0 ms, 0 bytes: GET http://api.test/a?page=1"])
        let nothing = KeptLog(from: .critical)
        _ = try await intercepted(nothing, [.text("x")]).send(request())
        #expect(nothing.lines.isEmpty)
    }

    @Test func `log lines contain no secrets and no server text`() async throws {
        let secret = "s3cr3t-0f-th3-c4ll"
        struct Loud: Error { let text: String }
        let log = KeptLog()
        let redirect = CannedReply(
            status: 302, headers: ["Location": "http://other.test/?token=\(secret)"], chunks: [Data(secret.utf8)])
        let failures: [CannedReply] = [
            redirect, .failure(Loud(text: secret)), .failure(ServiceError(.transport, "a\r\nb")),
            .failure(URLError(.badURL, userInfo: ["url": secret])),
        ]
        let session = intercepted(log, failures)
        var request = try request("http://eva:\(secret)@api.test/a?access_token=\(secret)#\(secret)")
        request.method = .post
        request.body = .data(Data(secret.utf8))
        request.head.setValue("Bearer \(secret)", forHTTPHeaderField: "Authorization")
        for _ in failures { _ = try? await session.send(request) }
        #expect(log.lines.count == 8)
        for line in log.lines { #expect(!line.contains(secret) && !line.contains("\n") && !line.contains("\r")) }
    }

    @Test func `the print sink drops lines below its level`() {
        let printed = Locked<[String]>([])
        let log = LoggingInterceptor.PrintSink(from: .notice) { line in printed.withLock { $0.append(line) } }
        for level in LoggingInterceptor.Level.allCases { log.log("x", at: level) }
        #expect(printed.withLock { $0 } == ["notice: x", "warning: x", "error: x", "critical: x"])
        #expect(LoggingInterceptor.Level.trace < .debug && !(LoggingInterceptor.Level.critical < .error))
    }
}
