import Errand
import Tracing

struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into request: inout APIRequest) {
        request.head.setValue(value, forHTTPHeaderField: key)
    }
}

/// Creates a client span for each request and sends its context, such as a `traceparent` header.
struct SpanInterceptor: Interceptor {
    func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        try await withSpan(request.method.rawValue, ofKind: .client) { span in
            var request = request
            InstrumentationSystem.instrument.inject(span.context, into: &request, using: HeaderInjector())
            span.attributes["http.request.method"] = request.method.rawValue
            span.attributes["server.address"] = request.url?.host()
            defer { span.add(request.options.trail?.trail) }
            let response = try await next.send(request)
            span.attributes["http.response.status_code"] = response.head.status
            span.add(response.metrics)
            return response
        }
    }
}

nonisolated extension Tracing.Span {
    /// Adds the session's measurements. Times are relative to the moment when the request left the session's queue.
    fileprivate func add(_ metrics: TransportMetrics?) {
        attributes["network.protocol.name"] = metrics?.protocolName
        attributes["network.peer.address"] = metrics?.remoteAddress
        attributes["http.response.body.size"] = metrics?.bytesReceived.map { Int($0) }
        attributes["errand.first_byte_ms"] = metrics?.firstByte.map { $0 / .milliseconds(1) }
    }

    /// Adds the events of the API call so far, such as attempts, waits and token refreshes.
    fileprivate func add(_ trail: Trail?) {
        guard let trail else { return }
        attributes["http.request.resend_count"] = max(0, trail.attempts.count - 1)
        for event in trail.events {
            addEvent(SpanEvent(name: event.message, attributes: ["source": "\(event.source)"]))
        }
    }
}
