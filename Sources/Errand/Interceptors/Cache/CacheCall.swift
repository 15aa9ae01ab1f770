import ErrandSupport

/// A request with its cache key and directives.
struct CacheCall: Sendable {
    let request: APIRequest
    let next: any APISession
    let key: CacheKey
    let mode: CacheMode
    /// The directives of the request: those of `Cache-Control`, or of `Pragma` if it is missing (RFC 9111, section 5.4).
    let directives: CacheDirectives
    /// The `Range` header of a GET request.
    let range: String?
    /// The lease of the store, which ends when the response is stored.
    var lease = CacheLease()

    /// Returns `nil` for a request that is sent without the cache.
    init?(_ request: APIRequest, _ next: any APISession) {
        guard let url = request.url, url.scheme?.hasPrefix("http") == true else { return nil }
        // A write always removes stored responses.
        if request.method.isSafe, let obstacle = Self.obstacle(request) {
            request.options.trail?.note("not used: \(obstacle)", from: .cache)
            return nil
        }
        if request.method == .get || request.method == .head {
            let conditions = ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"]
            guard case .none = request.body, !conditions.contains(where: { request.value(ofField: $0) != nil }) else {
                return nil
            }
        }
        self.request = request
        self.next = next
        key = CacheKey(url: Self.text(of: url), identity: request.options.identity)
        mode = request.options.cacheMode ?? CacheMode(request.options.cachePolicy)
        let control = request.value(ofField: "Cache-Control")
        directives = CacheDirectives(control ?? request.value(ofField: "Pragma"))
        range = request.method == .get ? request.value(ofField: "Range") : nil
    }

    /// Returns the reason why a request does not use the cache.
    private static func obstacle(_ request: APIRequest) -> String? {
        if request.options.identity?.isOfOneRequest ?? request.hasCredentials {
            return "credentials without an identity"
        }
        // An inner interceptor can change the request depending on such a value, and the key does not contain it.
        return request.options.hasCustomValue(besides: knownKeys) ? "the request has a custom option" : nil
    }

    /// The options that the cache takes into account itself.
    private static let knownKeys: [any RequestOptionKey.Type] = [
        RequestOptions.IdentityKey.self, RequestOptions.CacheModeKey.self, RequestOptions.WaitsForValidationKey.self,
        RequestOptions.PreconditionKey.self, RequestOptions.RedirectsKey.self,
    ]

    /// Whether the request may be sent if no stored response can be used (RFC 9111, section 5.2.1.7).
    var maySend: Bool { mode != .onlyIfCached && !directives.contains("only-if-cached") }

    /// Whether the redirect policy of the request permits a stored response. A redirect was stored by a request that
    /// did not follow it.
    func permits(_ entry: CacheEntry) -> Bool {
        !(300..<400).contains(entry.head.status) || entry.head.headers["Location"] == nil
            || request.options.redirects.mode == .manual
    }

    var now: Date { request.options.time.date }

    static var notCached: ServiceError {
        ServiceError(
            .notCached,
            "expected a stored response, found none that can be used: use another cache mode or remove only-if-cached")
    }

    func note(_ text: String) { request.options.trail?.note(text, from: .cache) }

    func send(_ request: APIRequest) async throws -> APIResponse { try await next.send(request) }

    /// The header section of a stored response with its present age (section 5.1).
    func served(_ entry: CacheEntry) -> ResponseHead {
        let age = entry.facts.age(at: now) ?? entry.facts.initialAge
        var headers = entry.head.headers
        headers["Age"] = "\(Int64(min(age, CacheDirectives.longest)))"
        var head = ResponseHead(
            status: entry.head.status, reason: entry.head.reason, headers: headers, url: entry.head.url)
        head.cacheAge = .milliseconds(Int64(min(age, CacheDirectives.longest) * 1_000))
        return head
    }

    /// The keys of the stored responses that a write makes invalid: those of its URL, of the URL of a redirect, and of
    /// `Location` and `Content-Location` with the same origin (section 4.4).
    func keys(changedBy head: ResponseHead?) -> [CacheKey] {
        guard let url = request.url else { return [] }
        let locations = ["Location", "Content-Location"].compactMap { head?.headers[$0] }
            .compactMap { URL(string: $0, relativeTo: url)?.absoluteURL }
        let others = (locations + [head?.url].compactMap(\.self)).filter { Origin($0) == Origin(url) }
        // A response for requests without an account may have changed, too.
        return ([url] + others).flatMap { url in
            let text = Self.text(of: url)
            let own = CacheKey(url: text, identity: key.identity)
            return key.identity == nil ? [own] : [own, CacheKey(url: text)]
        }
    }

    /// Whether a response to POST can be used for GET (RFC 9110, section 9.3.3).
    func describesOwnURL(_ head: ResponseHead) -> Bool {
        guard let url = request.url, let location = head.headers["Content-Location"],
            let own = URL(string: location, relativeTo: url)
        else { return false }
        return Self.text(of: own.absoluteURL) == key.url
    }

    /// Whether a response has the URL of the request, and not that of a redirect.
    func isOwn(_ head: ResponseHead) -> Bool { Self.text(of: head.url) == key.url }

    /// The URL without its fragment, which is not sent, and without the default port (RFC 9110, section 4.2.3).
    private static func text(of url: URL) -> String {
        var text = url.absoluteString
        if let port = url.port, port == url.defaultPort, let host = url.host(percentEncoded: true),
            let found = text.range(of: "\(host):\(port)")
        {
            text.replaceSubrange(found, with: host)
        }
        return text.utf8.contains(UInt8(ascii: "#")) ? String(text.prefix { $0 != "#" }) : text
    }
}

extension APIRequest {
    /// Returns the request with a header that makes other caches validate their responses, unless it has a
    /// `Cache-Control` header (Fetch standard, section 4.6).
    func forcingValidation() -> APIRequest {
        guard value(ofField: "Cache-Control") == nil else { return self }
        var request = self
        request.set(HeaderFields.Field("Cache-Control", "max-age=0"))
        return request
    }

    /// Returns the request with headers that make other caches get the response from the server, too (Fetch standard,
    /// section 4.6).
    func forcingReload() -> APIRequest {
        var request = self
        if request.value(ofField: "Cache-Control") == nil {
            request.set(HeaderFields.Field("Cache-Control", "no-cache"))
        }
        if request.value(ofField: "Pragma") == nil { request.set(HeaderFields.Field("Pragma", "no-cache")) }
        return request
    }
}

extension URL {
    fileprivate var defaultPort: Int { scheme?.lowercased() == "https" ? 443 : 80 }
}
