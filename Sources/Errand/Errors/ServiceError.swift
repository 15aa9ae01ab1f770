/// The one error that this library throws: a code to branch on, context to read, the cause to dig into.
///
/// ```swift
/// do {
///     photos = try await loader.load(query)
/// } catch where error.status == 404 {
///     photos = []
/// }
/// ```
/// The `catch` is typed as long as nothing else in the `do` throws; otherwise
/// `catch let error as ServiceError where error.status == 404`.
///
/// No description of it prints a secret: header fields, query items and JSON keys named by ``Redaction`` are masked.
/// ``underlying`` is not touched; print it only where its owner's texts may be printed.
public struct ServiceError: Error {
    /// The most bytes of a refused answer's body that ``body`` keeps: 64 kB.
    public static let bodyLimit: Int = 65_536

    /// What kind of failure this is.
    public let code: Code
    /// What went wrong, in one clause that is safe to print.
    public var reason: String
    /// Which call failed, where a request had been made.
    public var request: ServiceError.RequestSummary?
    /// The answer's head, where one had arrived.
    public var response: ResponseHead?
    /// The first ``bodyLimit`` bytes of the answer's body, where one had arrived.
    public var body: Data?
    /// The error that the server sent, decoded: the type a validator names, else ``ProblemDetails`` (RFC 9457).
    public var serverError: (any Error)?
    /// What was tried, oldest first; empty where nothing was sent.
    public var attempts: [Trail.Attempt]
    /// What happened on the way, and why; empty where nothing was sent.
    public var trail: Trail = Trail()
    /// After which trying again may help; nil where that is not known.
    public var retryAfter: Duration?
    /// What caused it: a `URLError`, a `DecodingError`, the error that a handler threw.
    public var underlying: (any Error)?

    /// The answer's status code, where one had arrived.
    public var status: Int? { response?.status }

    /// Makes an error; the context beyond these three is set on the value.
    public init(_ code: Code, _ reason: String, underlying: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.underlying = underlying
        self.attempts = []
    }
}
