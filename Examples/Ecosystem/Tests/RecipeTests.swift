import Alamofire
import AsyncHTTPClient
import CoreMetrics
import Errand
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import OpenAPIRuntime
import Testing
import Tracing

@Suite(.timeLimit(.minutes(1))) struct RecipeTests {
    private let ok = Canned { try APIResponse(to: $0, headers: ["X-A": "1", "x-a": "2"], body: "hello") }

    private func request(_ text: String = "http://api.test/a?page=1") throws -> APIRequest {
        var request = APIRequest(head: URLRequest(url: try #require(URL(string: text))), body: .none)
        request.options.trail = Trail.Recorder()
        return request
    }

    @Test func `a service sends requests with Errand and with Alamofire`() async throws {
        let sent = Kept<String>()
        let session = Canned { request in
            sent.append("\(request.method.rawValue) \(request.url?.absoluteString ?? "")")
            return try APIResponse(to: request)
        }
        let service = AccountService(over: session)
        try await service.close("Ann")
        #expect(await sent.all() == ["DELETE https://api.shop.example/accounts/Ann?reason=moved"])
        let names = try await Alamofire.Session.$body.withValue(Data(#"["Ann"]"#.utf8)) {
            try await service.names(page: 1)
        }
        #expect(names == ["Ann"])
    }

    @Test func `log lines keep their level, and disabled levels are not logged`() async throws {
        let log = Kept<String>()
        let logger = Logger(label: "test") { _ in KeptLog(lines: log) }
        _ = try await logged(ok, to: logger).send(request())
        let sink = SwiftLogSink(logger: logger)
        for level in LoggingInterceptor.Level.allCases { sink.log("line", at: level) }
        #expect(sink.accepts(.debug) && !sink.accepts(.trace))
        let lines = await log.all()
        #expect(lines.first == "info #1 GET http://api.test/a?page=1")
        let levels = ["debug", "info", "notice", "warning", "error", "critical"]
        #expect(Array(lines.dropFirst(2)) == levels.map { "\($0) line" })
    }

    @Test func `a request is recorded as a duration and a byte count`() async throws {
        let metrics = Kept<String>()
        let measured = Canned { request in
            var response = try APIResponse(to: request, status: 404)
            response.metrics = TransportMetrics()
            response.metrics?.bytesReceived = 7
            return response
        }
        let failing = Canned { _ in throw ServiceError(.timeout, "silent") }
        try await MetricsSystem.$installed.withValue(KeptMetrics(values: metrics)) {
            _ = try await measured.intercepted(by: MetricsInterceptor()).send(request())
            await #expect(throws: ServiceError.self) {
                try await failing.intercepted(by: MetricsInterceptor()).send(request())
            }
        }
        #expect(
            await metrics.all() == [
                "http.client.duration method=GET host=api.test outcome=404: true",
                "http.client.received_bytes host=api.test: 7",
                "http.client.duration method=GET host=api.test outcome=timeout: true",
                "http.client.received_bytes host=api.test: 0",
            ])
    }

    @Test func `a span has the request, the metrics, the trail and the context`() async throws {
        let span = KeptSpan(facts: Kept())
        let sent = Kept<String?>()
        let session = Canned { request in
            sent.append(request.headers["traceparent"])
            request.options.trail?.note("served by the mirror", from: .init("mirror"))
            var response = try APIResponse(to: request)
            response.metrics = TransportMetrics()
            response.metrics?.protocolName = "h2"
            response.metrics?.firstByte = .milliseconds(12)
            return response
        }
        _ = try await Spans.$source.withValue(span) {
            try await InstrumentationSystem.$installed.withValue(span) {
                try await session.intercepted(by: SpanInterceptor()).send(request())
            }
        }
        #expect(await sent.all() == [KeptSpan.traceparent])
        let facts = await span.facts.all()
        #expect(facts.first == "start GET client" && facts.last == "end")
        for fact in [
            "http.request.method string(\"GET\")", "server.address string(\"api.test\")",
            "http.response.status_code int64(200)", "network.protocol.name string(\"h2\")",
            "errand.first_byte_ms double(12.0)", "http.request.resend_count int64(0)", "event served by the mirror",
        ] { #expect(facts.contains(fact), "\(fact) in \(facts)") }
    }

    @Test func `a failed request's span has the error and the trail`() async throws {
        let span = KeptSpan(facts: Kept())
        let session = Canned { request in
            request.options.trail?.note("gave up", from: .init("mirror"))
            throw ServiceError(.timeout, "silent")
        }
        await Spans.$source.withValue(span) {
            await #expect(throws: ServiceError.self) {
                try await session.intercepted(by: SpanInterceptor()).send(request())
            }
        }
        let facts = await span.facts.all()
        #expect(facts.suffix(4).contains("event gave up") && facts.suffix(2) == ["error timeout", "end"])
    }
}
