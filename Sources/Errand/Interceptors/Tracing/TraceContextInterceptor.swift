/// Sends a `traceparent` header with each request, so that servers can add their spans to one trace (W3C Trace
/// Context).
///
/// ```swift
/// let session = PlatformSession.platform.intercepted(by: TraceContextInterceptor(isSampled: true))
/// // traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-03
/// ```
/// A request continues the trace of ``TraceContext/current`` and sends its `tracestate`. If the current context is
/// `nil`, the request starts a new trace. A request that already has a `traceparent` header keeps it, and its
/// `tracestate`.
///
/// Outside a ``RetryInterceptor``, all attempts of an API call have the same header. Inside, each attempt has its own
/// identifier, and the attempts share a trace only if ``TraceContext/current`` is set. `traceparent` is sent to every
/// server, also after a redirect to another origin. It contains no user data. `tracestate` is not sent to another
/// origin.
public struct TraceContextInterceptor: Interceptor {
    private let isSampled: Bool

    /// Creates the interceptor.
    /// - Parameter isSampled: Whether this program records the traces that it starts. Most servers record a trace if
    ///   and only if its caller does. A continued trace keeps its own flag.
    public init(isSampled: Bool) {
        self.isSampled = isSampled
    }

    /// Adds the headers, and records the trace in the request's trail.
    /// - Throws: The error of the session.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        guard request.value(ofField: "traceparent") == nil else { return try await next.send(request) }
        let random = request.options.random
        let context = TraceContext.current?.child(random: random) ?? TraceContext(isSampled: isSampled, random: random)
        var request = request
        request.set(HeaderFields.Field("traceparent", context.traceparent))
        if let state = context.state {
            request.set(HeaderFields.Field("tracestate", state))
        } else if request.value(ofField: "tracestate") != nil {
            // A tracestate without its traceparent is invalid (W3C Trace Context, "No traceparent Received", step 3).
            request.head.setValue(nil, forHTTPHeaderField: "tracestate")
        }
        request.options.trail?.note("trace \(context.traceID), parent \(context.parentID)", from: .trace)
        return try await next.send(request)
    }
}

extension Trail.Source {
    /// ``TraceContextInterceptor``.
    public static let trace: Self = .init("trace")
}
