import ErrandSupport

/// The pages that a walk has read, as digests of constant size.
struct PastPages: Sendable {
    private var digests: Set<[UInt8]> = []
    /// How many.
    private(set) var count = 0

    /// What is kept of the request of a page that was sent. The request itself would keep its body.
    struct Sent: Sendable {
        let origin: Origin
        /// Nil for a request whose body nobody has in memory.
        fileprivate let digest: [UInt8]?
        /// Nil for a request that is not a plain GET.
        fileprivate let address: [UInt8]?

        init(_ request: APIRequest) {
            let head = request.head
            let body = request.body
            origin = Origin(head.url)
            digest = PastPages.digest(head, body)
            let isRead = request.method == .get && body.isNone
            address = isRead ? PastPages.digest(head.url) : nil
        }
    }

    /// Adds a page: its request, the link that led to it, to whose query the handler may have appended, and the URL of the
    /// response, which can differ after a redirect.
    mutating func add(_ sent: Sent, link: URL?, answeredBy url: URL) {
        count += 1
        for digest in [sent.digest, sent.address, link.map(Self.digest), Self.digest(url)] {
            if let digest { digests.insert(digest) }
        }
    }

    /// Whether a request was sent before. One whose body nobody has in memory is taken for new.
    func contains(_ sent: Sent) -> Bool { sent.digest.map(digests.contains) ?? false }

    /// Whether an address has answered before.
    func contains(_ address: URL) -> Bool { digests.contains(Self.digest(address)) }

    private static func digest(_ url: URL?) -> [UInt8] {
        // Scheme and host have no case (RFC 3986, section 6.2.2.1).
        let place = "\(url?.path(percentEncoded: true) ?? "")?\(url?.query(percentEncoded: true) ?? "")"
        return SHA256.hash(Array("\(Origin(url).text)\n\(place)".utf8))
    }

    /// Of method, address, fields and body: each of them can say which page is meant. The loader makes an `Idempotency-Key`
    /// for each call.
    private static func digest(_ request: URLRequest, _ body: RequestBody) -> [UInt8]? {
        guard let bytes = body.isNone ? Data() : body.data else { return nil }
        let fields = (request.allHTTPHeaderFields ?? [:])
            .filter { $0.key.lowercased() != RequestOptions.Idempotency.field.lowercased() }
            .sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)\n" }
        let head = "\(request.httpMethod ?? "GET") \(request.url?.absoluteString ?? "")\n\(fields.joined())\n"
        return SHA256.hash(Array(head.utf8) + bytes)
    }
}

extension RequestBody {
    fileprivate var isNone: Bool {
        if case .none = self { true } else { false }
    }
}
