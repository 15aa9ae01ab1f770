/// The parts of a request that determine the response and its permitted recipients. Requests with equal keys share one
/// response.
struct CoalescingKey: Sendable, Hashable {
    private let method: HTTPMethod
    private let url: String
    private let headers: HeaderFields
    private let body: RequestBody
    private let limit: Int
    /// Apart from the other values, because comparing those takes longer than the rest of the key.
    private let identity: Credentials.Identity?
    private let values: Set<RequestOptions.SharedValue>
    private let cachePolicy: URLRequest.CachePolicy?
    /// The options that are other members of the key.
    private static let knownKeys: [any RequestOptionKey.Type] = [RequestOptions.IdentityKey.self]
    /// The hash value, computed once because a key is looked up several times.
    private var digest = 0

    /// Creates the key of a request. Returns `nil` if its response must not be shared: the method is not safe, the
    /// response is streamed, the body is not in memory, or an option forbids it
    /// (``RequestOptionKey/sharedValue(_:)``).
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` if the request has credentials and no
    ///   identity.
    init?(_ request: APIRequest, ignoring ignored: Set<String>) throws(ServiceError) {
        guard request.method.isSafe, case .buffered(let limit) = request.options.delivery, request.body.isInMemory,
            let values = request.options.sharedValues(besides: Self.knownKeys), let url = request.url
        else { return nil }
        identity = request.options.identity
        if identity == nil, request.hasCredentials {
            throw ServiceError(
                .configuration,
                "a request with credentials needs an identity to share a response: set one with an IdentityInterceptor")
        }
        method = request.method
        self.url = url.absoluteString
        // Includes secret headers. Those of an inner authorization interceptor are not set yet.
        headers = HeaderFields(
            request.unsortedFields.filter { !ignored.contains($0.name.lowercased()) }.sorted { $0.name < $1.name })
        body = request.body
        self.limit = limit
        self.values = values
        cachePolicy = request.options.cachePolicy
        var hasher = Hasher()
        hasher.combine(method)
        hasher.combine(self.url)
        hasher.combine(headers)
        hasher.combine(body)
        hasher.combine(identity)
        hasher.combine(values)
        digest = hasher.finalize()
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
