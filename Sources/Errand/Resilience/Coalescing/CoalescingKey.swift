/// What makes two requests one: all that decides what comes back, and who may see it.
struct CoalescingKey: Sendable, Hashable {
    private let method: HTTPMethod
    private let address: String
    private let fields: HeaderFields
    private let body: RequestBody
    private let identity: CredentialsIdentity?
    private let limit: Int
    private let redirects: RedirectPolicy
    private let cachePolicy: URLRequest.CachePolicy?
    /// Of all of it, as a key is looked up several times on its way.
    private var digest = 0

    /// The key of a request; nil for one that is not shared: an unsafe method, a streamed answer, a body that is not in
    /// memory, values for layers of somebody's own, which may decide anything.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` for credentials of nobody knows whom.
    init?(_ request: APIRequest, ignoring ignored: Set<String>) throws(ServiceError) {
        guard request.method.isSafe, case .buffered(let limit) = request.options.delivery, request.body.isInMemory,
            !request.options.hasOwnValues, let url = request.url
        else { return nil }
        identity = request.options.identity
        if identity == nil, request.hasCredentials {
            throw ServiceError(
                .configuration,
                "a request with credentials can't share an answer: nobody says whose they are (IdentityLayer)")
        }
        method = request.method
        address = url.absoluteString
        // Secret ones, too: those of an authorization layer further in are not here yet.
        fields = HeaderFields(
            request.unsortedFields.filter { !ignored.contains($0.name.lowercased()) }.sorted { $0.name < $1.name })
        body = request.body
        self.limit = limit
        redirects = request.options.redirects
        cachePolicy = request.options.cachePolicy
        var hasher = Hasher()
        hasher.combine(method)
        hasher.combine(address)
        hasher.combine(fields)
        hasher.combine(body)
        hasher.combine(identity)
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

extension APIRequest {
    /// The fields and query items that say who is asking.
    package var credentials: [HeaderFields.Field] {
        let redaction = options.redaction
        let items = (url?.query(percentEncoded: true) ?? "").split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            return HeaderFields.Field(name.removingPercentEncoding ?? String(name), String(item.dropFirst(name.count)))
        }
        return (Array(fields) + items).filter { redaction.hides($0.name) }
    }

    /// Whether a field or a query item says who is asking.
    package var hasCredentials: Bool { !credentials.isEmpty }
}
