/// A request that passes through the interceptors to the transport. It consists of a head, a body and options.
///
/// There is one source of truth: the initializers move the body, timeout and cache policy out of the `URLRequest`, so
/// that ``head`` contains only the URL, method and headers.
public struct APIRequest: Sendable {
    /// The URL, method and headers.
    public var head: URLRequest {
        get { late.isEmpty ? base : base.setting(late) }
        set {
            (base, late) = (newValue, [])
            completeMultipart()
        }
    }
    /// The head as it was last set.
    var base: URLRequest { didSet { isHeadKnownSendable = false } }
    /// Headers with names that ``base`` does not have. Setting them in ``base`` would copy the `URLRequest` if it is
    /// shared, for example with an outer interceptor. On Linux, the copy takes longer than all other work of an
    /// interceptor.
    var late: [HeaderFields.Field] = [] { didSet { isHeadKnownSendable = false } }
    /// The request body. A multipart body gets its boundary when it is set, and sets the `Content-Type` header. Another
    /// body that replaces it removes this header.
    public var body: RequestBody {
        didSet {
            removeContentType(of: oldValue)
            completeMultipart()
        }
    }
    /// The options of the request.
    public var options: RequestOptions
    /// Whether ``ensureSendable()`` has accepted the head, and the head has not changed since then.
    private(set) var isHeadKnownSendable = false

    /// The default idle timeout of a `URLRequest` and of this library: 60 seconds.
    public static let defaultIdleTimeout: Duration = .seconds(60)

    /// Creates a request from a `URLRequest`.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the body is an `InputStream`, which can be
    ///   neither sent twice nor measured. Pass the body as data.
    public init(_ request: URLRequest, options: RequestOptions = RequestOptions()) throws(ServiceError) {
        guard request.httpBodyStream == nil else {
            throw ServiceError(.encoding, "unsupported InputStream body: pass the body as data")
        }
        self.init(head: request, body: request.httpBody.map { .data($0) } ?? .none, options: options)
    }

    /// Creates a request from its parts. `body` replaces a body in `head`.
    public init(head: URLRequest, body: RequestBody, options: RequestOptions = RequestOptions()) {
        base = head
        // A change copies a shared URLRequest, so unnecessary changes are avoided.
        if head.httpBody != nil { base.httpBody = nil }
        self.body = body
        self.options = options
        self.options.idleTimeout = options.idleTimeout ?? Self.duration(ofTimeout: head.timeoutInterval)
        self.options.cachePolicy = options.cachePolicy ?? head.cachePolicy
        if head.timeoutInterval != 60 { base.timeoutInterval = 60 }
        if head.cachePolicy != .useProtocolCachePolicy { base.cachePolicy = .useProtocolCachePolicy }
        completeMultipart()
    }

    /// Checks the request like ``checkSendable()``. Later checks skip the head until it changes.
    mutating func ensureSendable() throws(ServiceError) {
        try checkSendable()
        isHeadKnownSendable = true
    }

    /// A summary of the request that contains no secret.
    public var summary: ServiceError.RequestSummary { ServiceError.RequestSummary(head, redaction: options.redaction) }

    /// Converts a timeout of Foundation in seconds. A timeout that is not positive becomes the default. The maximum is
    /// one day.
    private static func duration(ofTimeout seconds: TimeInterval) -> Duration {
        guard !(seconds >= 86_400) else { return .seconds(86_400) }
        guard seconds > 0 else { return defaultIdleTimeout }
        return .milliseconds(Int64((seconds * 1_000).rounded(.up)))
    }
}

extension APIRequest: CustomStringConvertible, CustomReflectable {
    /// A description that contains no secret.
    public var description: String { summary.description }
    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description], displayStyle: .struct) }
}
