import ErrandSupport

/// The pages that a sequence has loaded, as digests of constant size.
struct LoadedPages: Sendable {
    private var digests: Set<[UInt8]> = []
    /// The number of pages.
    private(set) var count = 0

    /// The record of the request of a page. The request itself is not stored, because it would keep its body in
    /// memory.
    struct Sent: Sendable {
        let origin: Origin
        /// The digest of the request. `nil` if its body is not in memory.
        fileprivate let digest: [UInt8]?
        /// The digest of the URL. `nil` if the request is not a GET request without a body.
        fileprivate let urlDigest: [UInt8]?

        init(_ request: APIRequest) {
            let head = request.head
            let body = request.body
            origin = Origin(head.url)
            digest = LoadedPages.digest(head, body)
            let isRead = request.method == .get && body.isNone
            urlDigest = isRead ? LoadedPages.digest(head.url) : nil
        }
    }

    /// Adds a page: its request, its link and the URL of its response. The URL of the request can differ from the
    /// link, because the handler may append to the query. The URL of the response can differ after a redirect.
    mutating func add(_ sent: Sent, link: URL?, responseURL url: URL) {
        count += 1
        for digest in [sent.digest, sent.urlDigest, link.map(Self.digest), Self.digest(url)] {
            if let digest { digests.insert(digest) }
        }
    }

    /// Returns whether a request was sent before. A request with a body that is not in memory counts as new.
    func contains(_ sent: Sent) -> Bool { sent.digest.map(digests.contains) ?? false }

    /// Returns whether a page with the URL has been loaded before.
    func contains(_ url: URL) -> Bool { digests.contains(Self.digest(url)) }

    private static func digest(_ url: URL?) -> [UInt8] {
        // Scheme and host are case-insensitive (RFC 3986, section 6.2.2.1).
        let target = "\(url?.path(percentEncoded: true) ?? "")?\(url?.query(percentEncoded: true) ?? "")"
        return SHA256.hash(Array("\(Origin(url).text)\n\(target)".utf8))
    }

    /// Returns the digest of the method, the URL, the headers and the body, because each of them can select the page.
    /// `Idempotency-Key` is omitted, because the loader creates a new one for each API call.
    private static func digest(_ request: URLRequest, _ body: RequestBody) -> [UInt8]? {
        guard let bytes = body.isNone ? Data() : body.data else { return nil }
        let headers = (request.allHTTPHeaderFields ?? [:])
            .filter { $0.key.lowercased() != RequestOptions.Idempotency.field.lowercased() }
            .sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)\n" }
        let head = "\(request.httpMethod ?? "GET") \(request.url?.absoluteString ?? "")\n\(headers.joined())\n"
        return SHA256.hash(Array(head.utf8) + bytes)
    }
}

extension RequestBody {
    fileprivate var isNone: Bool {
        if case .none = self { true } else { false }
    }
}
