import Errand
import ErrandTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct TraceContextInterceptorTests {
    private static let incoming = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    private let script = ScriptedSession([.status(200), .status(200)])
    private var session: any APISession { script.intercepted(by: TraceContextInterceptor(isSampled: true)) }

    private func request() throws -> APIRequest {
        APIRequest(head: URLRequest(url: try #require(URL(string: "http://api.test/a"))), body: .none)
    }

    private func sent() throws -> (traceparent: TraceContext, tracestate: String?) {
        let headers = try #require(script.recorded.first).headers
        return (try #require(TraceContext(traceparent: headers["traceparent"])), headers["tracestate"])
    }

    @Test func `a request without a context starts a trace`() async throws {
        _ = try await session.send(request())
        _ = try await session.send(request())
        let contexts = script.recorded.compactMap { TraceContext(traceparent: $0.headers["traceparent"]) }
        #expect(contexts.count == 2 && contexts.allSatisfy { $0.isSampled && $0.isRandom })
        #expect(contexts.first?.traceID != contexts.last?.traceID)
    }

    @Test func `a request continues the current trace`() async throws {
        let current = try #require(TraceContext(traceparent: Self.incoming, tracestate: "congo=t61rcWkgMzE"))
        _ = try await TraceContext.$current.withValue(current) { try await session.send(request()) }
        let sent = try sent()
        #expect(sent.traceparent.traceID == current.traceID && sent.traceparent.parentID != current.parentID)
        #expect(sent.traceparent.isSampled && !sent.traceparent.isRandom)
        #expect(sent.tracestate == "congo=t61rcWkgMzE")
    }

    @Test func `a header of the request is kept`() async throws {
        var request = try request()
        request.head.setValue(Self.incoming, forHTTPHeaderField: "Traceparent")
        request.head.setValue("rojo=1", forHTTPHeaderField: "tracestate")
        _ = try await session.send(request)
        let sent = try sent()
        #expect(sent.traceparent.traceparent == Self.incoming && sent.tracestate == "rojo=1")
    }

    @Test func `a tracestate without its traceparent is not sent`() async throws {
        var request = try request()
        request.head.setValue("rojo=1", forHTTPHeaderField: "tracestate")
        _ = try await session.send(request)
        #expect(try sent().tracestate == nil)
    }

    @Test func `the trail names the trace`() async throws {
        var request = try request()
        request.options.trail = Trail.Recorder()
        _ = try await session.send(request)
        let context = try sent().traceparent
        let messages = request.options.trail?.trail.events.map(\.message)
        #expect(messages == ["trace \(context.traceID), parent \(context.parentID)"])
    }

    @Test(arguments: [true, false])
    func `attempts share the trace, and the parent if tracing is outside retry`(isOutside: Bool) async throws {
        let script = ScriptedSession([.status(503), .json("1")])
        let interceptors: [any Interceptor] = [TraceContextInterceptor(isSampled: true), RetryInterceptor()]
        let session = script.intercepted(byAll: isOutside ? interceptors : interceptors.reversed())
        var request = try request()
        request.options.time = InstantClock()
        let current = try #require(TraceContext(traceparent: Self.incoming))
        let attempt = request
        _ = try await TraceContext.$current.withValue(current) { try await session.send(attempt) }
        let contexts = script.recorded.compactMap { TraceContext(traceparent: $0.headers["traceparent"]) }
        #expect(contexts.count == 2 && contexts.allSatisfy { $0.traceID == current.traceID })
        #expect((contexts.first?.parentID == contexts.last?.parentID) == isOutside)
    }
}
