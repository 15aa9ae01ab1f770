/// What travels down the interceptors to the transport: a head, a body and the call's options.
///
/// There is one source of truth: body, time-out and cache policy are moved out of the `URLRequest` when this is made,
/// so that ``head`` holds address, method and fields only.
public struct APIRequest: Sendable {
    /// Address, method and header fields.
    public var head: URLRequest {
        get { late.isEmpty ? base : base.setting(late) }
        set { (base, late) = (newValue, []) }
    }
    /// The head as it was set last.
    var base: URLRequest { didSet { isHeadKnownSendable = false } }
    /// Fields of names that ``base`` does not have. To set one there copies it wherever somebody else has it too, as the
    /// interceptor further out has; on Linux that takes longer than all else that an interceptor does.
    var late: [HeaderFields.Field] = [] { didSet { isHeadKnownSendable = false } }
    /// What is sent.
    public var body: RequestBody
    /// How the call is carried out.
    public var options: RequestOptions
    /// Whether ``ensureSendable()`` has let the head pass, which has not been changed since.
    private(set) var isHeadKnownSendable = false

    /// The idle time-out that a `URLRequest` has when nobody set one, and this library's default: 60 seconds.
    public static let standardIdleTimeout: Duration = .seconds(60)

    /// Takes a request apart.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` for a body that is an `InputStream`, which can't be
    ///   sent twice nor measured: give the body as data.
    public init(_ request: URLRequest, options: RequestOptions = RequestOptions()) throws(ServiceError) {
        guard request.httpBodyStream == nil else {
            throw ServiceError(.encoding, "a body given as an InputStream is not supported: give it as data")
        }
        self.init(head: request, body: request.httpBody.map { .data($0) } ?? .none, options: options)
    }

    /// Makes a request of its parts; a body in the head is replaced by the one given.
    public init(head: URLRequest, body: RequestBody, options: RequestOptions = RequestOptions()) {
        base = head
        // Each change of a URLRequest that is shared copies it, so that none is made without need.
        if head.httpBody != nil { base.httpBody = nil }
        self.body = body
        self.options = options
        self.options.idleTimeout = options.idleTimeout ?? Self.duration(ofTimeout: head.timeoutInterval)
        self.options.cachePolicy = options.cachePolicy ?? head.cachePolicy
        if head.timeoutInterval != 60 { base.timeoutInterval = 60 }
        if head.cachePolicy != .useProtocolCachePolicy { base.cachePolicy = .useProtocolCachePolicy }
    }

    /// Checks it as ``checkSendable()`` does: who checks it further down does not look at the same head again.
    mutating func ensureSendable() throws(ServiceError) {
        try checkSendable()
        isHeadKnownSendable = true
    }

    /// The request in the form that prints no secret.
    public var summary: ServiceError.RequestSummary { ServiceError.RequestSummary(head, redaction: options.redaction) }

    /// A time-out of Foundation's, in seconds, as a duration: none is the default, and what can't be waited for a day.
    private static func duration(ofTimeout seconds: TimeInterval) -> Duration {
        guard !(seconds >= 86_400) else { return .seconds(86_400) }
        guard seconds > 0 else { return standardIdleTimeout }
        return .milliseconds(Int64((seconds * 1_000).rounded(.up)))
    }
}

extension APIRequest: CustomStringConvertible, CustomReflectable {
    /// The text that is safe to print.
    public var description: String { summary.description }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description], displayStyle: .struct) }
}
