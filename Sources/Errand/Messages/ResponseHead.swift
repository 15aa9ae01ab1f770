import ErrandSupport

/// The status, reason phrase, ordered headers and URL of a response.
public struct ResponseHead: Sendable {
    /// The immutable storage, shared by all copies.
    private final class Storage: Sendable {
        let status: Int
        let reason: String
        let headers: HeaderFields
        let url: URL
        let redaction: Redaction
        /// The equivalent platform response, if the session provided it or it has been requested. It is cached
        /// because creating one costs more than all other work of a loader.
        let platformForm: Locked<HTTPURLResponse?>

        init(
            _ status: Int, _ reason: String, _ headers: HeaderFields, _ url: URL, _ redaction: Redaction,
            _ platformForm: HTTPURLResponse?
        ) {
            self.status = status
            self.reason = reason
            self.headers = headers
            self.url = url
            self.redaction = redaction
            self.platformForm = Locked(platformForm)
        }
    }

    private let storage: Storage
    /// The secrets of the requests of this response. Descriptions hide them.
    package var secrets: CarriedSecrets?
    /// The age of the response if it came from a ``CacheInterceptor``.
    package var cacheAge: Duration?
    /// The type of the handler, if its default `parseResponse(data:response:)` created this value.
    package var converter: ObjectIdentifier?

    /// Creates a header section. An empty reason is replaced by the standard phrase of the status.
    public init(status: Int, reason: String = "", headers: HeaderFields = [:], url: URL) {
        self.init(status: status, reason: reason, headers: headers, url: url, platformForm: nil)
    }

    /// Creates a value from the URL, the status and all headers of a platform response.
    package init(
        status: Int, reason: String = "", headers: HeaderFields, url: URL, platformForm: HTTPURLResponse?
    ) {
        let reason = reason.isEmpty ? reasonPhrase(status) : reason
        storage = Storage(status, reason, headers, url, .standard, platformForm)
    }

    private init(_ head: ResponseHead, hiding redaction: Redaction) {
        let platformForm = head.storage.platformForm.withLock { $0 }
        storage = Storage(head.status, head.reason, head.headers, head.url, redaction, platformForm)
        (secrets, cacheAge) = (head.secrets, head.cacheAge)
    }

    /// The status code, 100 to 999.
    public var status: Int { storage.status }
    /// The reason phrase, or the standard phrase of the status if the session provides none.
    public var reason: String { storage.reason }
    /// The headers, in order.
    public var headers: HeaderFields { storage.headers }
    /// The URL of the response.
    public var url: URL { storage.url }
    /// The redaction of descriptions, from the options of the API call.
    package var redaction: Redaction { storage.redaction }

    /// Whether the status is 2xx (RFC 9110, section 15.3).
    public var isSuccess: Bool { (200..<300).contains(status) }

    /// Returns a copy with another redaction of its descriptions.
    package func hiding(_ redaction: Redaction) -> ResponseHead {
        redaction == self.redaction ? self : ResponseHead(self, hiding: redaction)
    }
}

extension ResponseHead: Hashable {
    /// Returns whether two values have the same contents and redaction.
    public static func == (one: ResponseHead, other: ResponseHead) -> Bool {
        one.storage === other.storage
            || one.status == other.status && one.reason == other.reason && one.headers == other.headers
                && one.url == other.url && one.redaction == other.redaction
    }

    /// Hashes the status, the headers and the URL.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(headers)
        hasher.combine(url)
    }
}

extension ResponseHead {
    /// The equivalent platform response. `nil` if the platform does not accept the values.
    package var platformForm: HTTPURLResponse? {
        if let kept = storage.platformForm.withLock({ $0 }) { return kept }
        guard let made = makeResponse() else { return nil }
        storage.platformForm.withLock { $0 = made }
        return made
    }

    private func makeResponse() -> HTTPURLResponse? {
        let values = headers.mayHaveRepeatedNames ? combinedHeaders.valuesByName : headers.valuesByName
        return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: values)
    }

    /// The headers, with the values of repeated headers combined, because an `HTTPURLResponse` cannot represent repeated
    /// headers.
    private var combinedHeaders: some Sequence<HeaderFields.Field> {
        Dictionary(
            headers.lazy.map { ($0.name.lowercased(), $0) },
            uniquingKeysWith: { first, next in
                HeaderFields.Field(first.name, first.value + ", " + next.value)
            }
        ).values
    }
}

extension Sequence<HeaderFields.Field> {
    /// The values by name. If names are equal, the first value.
    fileprivate var valuesByName: [String: String] {
        Dictionary(lazy.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

extension HeaderFields {
    /// Whether two headers may have the same name. Always `true` for more than 32 headers and for a name that is not ASCII. For a
    /// few headers, comparing all pairs is faster than a hash table.
    fileprivate var mayHaveRepeatedNames: Bool {
        guard count <= 32, allSatisfy({ $0.name.utf8.allSatisfy { $0 < 0x80 } }) else { return true }
        return indices.contains { index in self[..<index].contains { $0.isNamed(self[index].name) } }
    }
}

extension ResponseHead: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status, reason, URL and headers, without secrets.
    public var description: String {
        let fields = headers.map { $0.description(hiding: redaction, secrets) }.joined(separator: "; ")
        let address = redaction.url(url)
        return "\(status) \(printable(reason, limit: 100)) from \(secrets?.masked(address) ?? address); \(fields)"
    }

    /// Returns a text of the server in a form that is safe to print: on one line, redacted, and with control characters
    /// escaped.
    ///
    /// - Parameters:
    ///   - text: The text. Only its first 16 kB are read.
    ///   - limit: The maximum number of Unicode scalars of the result.
    /// - Returns: One line of at most `limit` Unicode scalars.
    public func printable(_ text: String, limit: Int) -> String {
        redaction.printable(text, limit: limit, secrets)
    }

    /// The ``description`` in brackets.
    public var debugDescription: String { "[\(description)]" }
    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["head": description], displayStyle: .struct) }
}
