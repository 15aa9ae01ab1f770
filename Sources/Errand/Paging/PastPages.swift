/// The pages that a walk has read, as digests of constant size.
struct PastPages: Sendable {
    private var digests: Set<[UInt8]> = []
    /// How many.
    private(set) var count = 0

    /// Adds a page: its request, and the address that answered, where a redirect may have led.
    mutating func add(_ request: URLRequest, _ body: RequestBody?, answeredBy url: URL) {
        count += 1
        if let digest = Self.digest(request, body) { digests.insert(digest) }
        if Self.isRead(request, body) { digests.insert(Self.digest(request.url)) }
        digests.insert(Self.digest(url))
    }

    /// Whether a request was sent before. One whose body nobody has in memory is taken for new.
    func contains(_ request: URLRequest, _ body: RequestBody?) -> Bool {
        Self.digest(request, body).map(digests.contains) ?? false
    }

    /// Whether an address has answered before.
    func contains(_ address: URL) -> Bool { digests.contains(Self.digest(address)) }

    private static func isRead(_ request: URLRequest, _ body: RequestBody?) -> Bool {
        (request.httpMethod ?? "GET") == "GET" && request.httpBody == nil && body == nil
    }

    private static func digest(_ url: URL?) -> [UInt8] {
        // Scheme and host have no case (RFC 3986, section 6.2.2.1).
        let place = "\(url?.path(percentEncoded: true) ?? "")?\(url?.query(percentEncoded: true) ?? "")"
        return SHA256.hash(Array("\(Origin(url).text)\n\(place)".utf8))
    }

    /// Of method, address, fields and body: each of them can say which page is meant.
    private static func digest(_ request: URLRequest, _ body: RequestBody?) -> [UInt8]? {
        guard let bytes = body.map(\.data) ?? request.httpBody ?? Data() else { return nil }
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)\n" }
        let head = "\(request.httpMethod ?? "GET") \(request.url?.absoluteString ?? "")\n\(fields.joined())\n"
        return SHA256.hash(Array(head.utf8) + bytes)
    }
}
