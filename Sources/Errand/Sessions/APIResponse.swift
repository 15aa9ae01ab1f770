/// What a session gives back: every status, 4xx and 5xx included; only a handler's validators refuse one.
public struct APIResponse: Sendable {
    /// Status and fields.
    public var head: ResponseHead
    /// The body.
    public var body: ResponseBody
    /// What the transfer cost so far; nil where the session does not measure. For a stream see ``ResponseBody/metrics``.
    public var metrics: TransportMetrics? {
        get { measured?.metrics }
        set { measured = newValue.map(Measured.init) }
    }
    private var measured: Measured?

    /// Elsewhere than in the answer, which goes through many hands: they have some 200 bytes.
    private final class Measured: Sendable {
        let metrics: TransportMetrics

        init(_ metrics: TransportMetrics) {
            self.metrics = metrics
        }
    }

    /// Makes the answer to a request, for sessions, interceptors and doubles of your own.
    ///
    /// ```swift
    /// struct Canned: APISession {
    ///     func send(_ request: APIRequest) async throws -> APIResponse {
    ///         try APIResponse(to: request, status: 200, body: #"[{"id":"1"}]"#)
    ///     }
    /// }
    /// ```
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` for a request without an address.
    public init(
        to request: APIRequest, status: Int = 200, fields: HeaderFields = [:], body: String = ""
    ) throws(ServiceError) {
        guard let url = request.url else { throw ServiceError(.encoding, "the request has no address") }
        self.init(head: ResponseHead(status: status, fields: fields, url: url), body: ResponseBody(Data(body.utf8)))
    }

    /// Makes a response of its parts.
    public init(head: ResponseHead, body: ResponseBody = ResponseBody(), metrics: TransportMetrics? = nil) {
        self.head = head
        self.body = body
        self.metrics = metrics
    }
}
