/// A response with any status, including 4xx and 5xx. Only the validators of a handler reject a status.
public struct APIResponse: Sendable {
    /// The status and the headers.
    public var head: ResponseHead
    /// The body.
    public var body: ResponseBody
    /// The metrics of the transfer so far, or `nil` if the session does not measure them. For a streamed body, see
    /// ``ResponseBody/metrics``.
    public var metrics: TransportMetrics? {
        get { measured?.metrics }
        set { measured = newValue.map(Measured.init) }
    }
    private var measured: Measured?

    /// A box for the metrics, which take about 200 bytes. It keeps responses small, because they are copied often.
    private final class Measured: Sendable {
        let metrics: TransportMetrics

        init(_ metrics: TransportMetrics) {
            self.metrics = metrics
        }
    }

    /// Creates a response to a request, for custom sessions, interceptors and test doubles.
    ///
    /// ```swift
    /// struct Canned: APISession {
    ///     func send(_ request: APIRequest) async throws -> APIResponse {
    ///         try APIResponse(to: request, status: 200, body: #"[{"id":"1"}]"#)
    ///     }
    /// }
    /// ```
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the request has no URL.
    public init(
        to request: APIRequest, status: Int = 200, headers: HeaderFields = [:], body: String = ""
    ) throws(ServiceError) {
        guard let url = request.url else { throw ServiceError(.encoding, "the request has no URL") }
        self.init(head: ResponseHead(status: status, headers: headers, url: url), body: ResponseBody(Data(body.utf8)))
    }

    /// Creates a response from its parts.
    public init(head: ResponseHead, body: ResponseBody = ResponseBody(), metrics: TransportMetrics? = nil) {
        self.head = head
        self.body = body
        self.metrics = metrics
    }
}
