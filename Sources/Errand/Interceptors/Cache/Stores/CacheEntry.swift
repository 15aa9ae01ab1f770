/// A stored response.
public struct CacheEntry: Sendable {
    /// The status, the URL and the headers, without those that belong to the connection.
    public let head: ResponseHead
    /// The time at which the request was sent.
    public let requestDate: Date
    /// The time at which the header section was received.
    public let responseDate: Date
    /// The request headers that select this variant of the resource.
    public let selection: VarySelection
    /// The number of bytes of the body, or `nil` until it is complete.
    public let size: Int64?
    /// The body. A stream can be read once, so a store creates an entry with a new stream for each caller.
    public let body: ResponseBody
    /// The freshness of the response.
    let facts: CacheFacts

    /// Whether the body has the coding of the `Content-Encoding` header, because the session could not decode it. Other
    /// bodies are stored decoded.
    public let isEncoded: Bool
    /// The identifier of this version in its store, for ``CacheStore/update(_:replacing:for:)``. It is empty in a store that
    /// needs none.
    public let mark: String

    /// Creates an entry, for a custom ``CacheStore``.
    public init(
        head: ResponseHead, requestDate: Date, responseDate: Date, selection: VarySelection, isEncoded: Bool = false,
        size: Int64? = nil, mark: String = "", body: ResponseBody = ResponseBody()
    ) {
        (self.head, self.requestDate, self.responseDate, self.selection) = (head, requestDate, responseDate, selection)
        (self.isEncoded, self.size, self.mark) = (isEncoded, size, mark)
        var body = body
        body.codings = ContentCodings(isEncoded ? head.headers : [:])
        self.body = body
        facts = CacheFacts(head, requestDate: requestDate, responseDate: responseDate)
    }

    /// Returns the entry with its complete body, for a custom ``CacheStore``.
    public func with(_ body: ResponseBody, size: Int64) -> CacheEntry {
        CacheEntry(
            head: head, requestDate: requestDate, responseDate: responseDate, selection: selection,
            isEncoded: isEncoded, size: size, mark: mark, body: body)
    }

    /// Whether another entry is this response: the same variant, received at the same time.
    func isSame(as other: CacheEntry) -> Bool {
        selection == other.selection && responseDate == other.responseDate && requestDate == other.requestDate
            && size == other.size
    }

    /// The freshness lifetime in seconds (RFC 9111, section 4.2.1).
    package var lifetime: Double { facts.lifetime }

    /// Returns the age in seconds, or `nil` if the clock was set back after the response was received.
    package func age(at now: Date) -> Double? { facts.age(at: now) }

    /// Returns the entry with other headers, and the times at which they were received.
    func updated(with head: ResponseHead, requestDate: Date, responseDate: Date) -> CacheEntry {
        CacheEntry(
            head: head, requestDate: requestDate, responseDate: responseDate, selection: selection,
            isEncoded: isEncoded, size: size, mark: mark, body: body)
    }
}

extension CacheEntry: CustomStringConvertible, CustomReflectable {
    /// The status and the URL, without secrets.
    public var description: String { "\(head.status) from \(Redaction.standard.url(head.url))" }
    /// A mirror that shows ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["entry": description], displayStyle: .struct) }
}
