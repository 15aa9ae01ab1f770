/// What makes two requests one: all that decides what comes back, and who may see it.
struct CoalescingKey: Sendable, Hashable {
    private let method: HTTPMethod
    private let address: String
    private let fields: HeaderFields
    private let body: RequestBody
    private let limit: Int
    private let values: Set<RequestOptions.SharedValue>
    private let cachePolicy: URLRequest.CachePolicy?
    /// Of all of it, as a key is looked up several times on its way.
    private var digest = 0

    /// The key of a request; nil for one that is not shared: an unsafe method, a streamed answer, a body that is not in
    /// memory, option values that forbid it (``RequestOptionKey/sharedValue(_:)``).
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` for credentials of nobody knows whom.
    init?(_ request: APIRequest, ignoring ignored: Set<String>) throws(ServiceError) {
        guard request.method.isSafe, case .buffered(let limit) = request.options.delivery, request.body.isInMemory,
            let values = request.options.sharedValues, let url = request.url
        else { return nil }
        if request.options.identity == nil, request.hasCredentials {
            throw ServiceError(
                .configuration,
                "a request with credentials can't share an answer: nobody says whose they are (IdentityInterceptor)")
        }
        method = request.method
        address = url.absoluteString
        // Secret ones, too: those of an authorization interceptor further in are not here yet.
        fields = HeaderFields(
            request.unsortedFields.filter { !ignored.contains($0.name.lowercased()) }.sorted { $0.name < $1.name })
        body = request.body
        self.limit = limit
        self.values = values
        cachePolicy = request.options.cachePolicy
        var hasher = Hasher()
        hasher.combine(method)
        hasher.combine(address)
        hasher.combine(fields)
        hasher.combine(body)
        hasher.combine(values)
        digest = hasher.finalize()
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension RequestBody {
    fileprivate var isInMemory: Bool {
        switch self {
        case .none, .data: true
        case .file, .stream: false
        }
    }
}
