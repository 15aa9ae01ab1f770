/// The error type of this library: a code, the context of the failure, and the cause.
///
/// ```swift
/// do {
///     photos = try await loader.load(query)
/// } catch where error.status == 404 {
///     photos = []
/// }
/// ```
/// The `catch` is typed if all errors of the `do` block are service errors. Otherwise, use
/// `catch let error as ServiceError where error.status == 404`.
///
/// Descriptions contain no secrets. Headers, query items and JSON keys that ``Redaction`` hides are masked.
/// ``underlying`` is not redacted. Print it only if its text contains no secrets.
public struct ServiceError: Error {
    /// The maximum number of bytes of a rejected response that ``body`` contains: 64 kB.
    public static let bodyLimit: Int = 65_536

    /// The kind of the failure.
    public let code: Code
    /// A short explanation of the failure, without secrets.
    public var reason: String
    /// A summary of the failed request, or `nil` if the request was not created.
    public var request: ServiceError.RequestSummary?
    /// The status and the headers of the response, or `nil` if no response was received.
    public var response: ResponseHead?
    /// The first ``bodyLimit`` bytes of the response body, or `nil` if no body was received.
    public var body: Data?
    /// The decoded error of the server. Its type is that of a validator, or ``ProblemDetails`` (RFC 9457).
    public var serverError: (any Error)?
    /// The attempts, oldest first. Empty if no request was sent.
    public var attempts: [Trail.Attempt]
    /// The recorded events of the API call. Empty if no request was sent.
    public var trail: Trail = Trail()
    /// The time after which a retry may succeed, or `nil` if it is unknown.
    public var retryAfter: Duration?
    /// The cause, such as a `URLError`, a `DecodingError` or the error of a handler.
    public var underlying: (any Error)?

    /// The status code of the response, or `nil` if no response was received.
    public var status: Int? { response?.status }

    /// Creates an error. Set the other properties on the value.
    public init(_ code: Code, _ reason: String, underlying: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.underlying = underlying
        self.attempts = []
    }
}
