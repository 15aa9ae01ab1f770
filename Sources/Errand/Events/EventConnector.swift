/// Makes and sends the requests of an event source.
struct EventConnector: Sendable {
    /// The maximum size of a `Last-Event-ID` header: 8 kB, because servers refuse larger headers.
    private static let idLimit = 8_192

    private let stream: StreamConnector

    init<T: APIHandler>(_ loader: APILoader<T>, _ input: T.RequestDataType) {
        stream = StreamConnector(loader, input)
    }

    /// Makes the request of a connection. A repeated request has the deadline, the trail and the idempotency key of the
    /// first one.
    func request(
        after first: APIRequest?, lastEventID: String, _ options: EventOptions
    ) async throws(ServiceError) -> APIRequest {
        var request = try await stream.request()
        if let first {
            (request.options.deadline, request.options.trail) = (first.options.deadline, first.options.trail)
            let field = RequestOptions.Idempotency.field
            if let key = first.value(ofField: field) { request.set(HeaderFields.Field(field, key)) }
        }
        request.setAbsent("Accept", "text/event-stream")
        // The header that the cache mode `no-store` of the HTML standard results in (Fetch, section 4.6).
        request.setAbsent("Cache-Control", "no-cache")
        guard lastEventID.utf8.count <= Self.idLimit else {
            throw ServiceError(
                .badResponse,
                "expected a last event ID of at most \(Self.idLimit) bytes, found \(lastEventID.utf8.count)")
        }
        if !lastEventID.isEmpty { request.set(HeaderFields.Field("Last-Event-ID", lastEventID)) }
        request.options.cachePolicy = .reloadIgnoringLocalCacheData
        request.options.cacheMode = request.options.cacheMode ?? .noStore
        if let timeout = options.idleTimeout { request.options.idleTimeout = timeout }
        return request
    }

    /// Sends a request. A JSON response is not an event stream, unless the options accept any media type, so its body is
    /// collected for the validators and the error.
    func send(_ request: APIRequest, _ options: EventOptions) async throws(ServiceError) -> Loaded<ResponseBody> {
        try await stream.send(request, collecting: options.statuses.isLenient ? .ofRefusals : .ofRefusalsAndJSON)
    }
}

extension APIRequest {
    fileprivate mutating func setAbsent(_ name: String, _ value: String) {
        if self.value(ofField: name) == nil { set(HeaderFields.Field(name, value)) }
    }
}
