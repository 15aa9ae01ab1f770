import ErrandSupport

/// The resource and the account of a stored response.
public struct CacheKey: Sendable, Hashable {
    /// The absolute URL without its fragment.
    public let url: String
    /// The account of the request, or `nil` for a request without credentials. Responses are never shared between
    /// accounts.
    public let identity: Credentials.Identity?

    /// Creates a key.
    public init(url: String, identity: Credentials.Identity? = nil) {
        self.url = url
        self.identity = identity
    }

    /// The SHA-256 digest of the key in hexadecimal digits, for names of files. It cannot be reversed.
    public var digest: String { SHA256.hash("\(identity.map { "1\($0.name)" } ?? "0")\u{0}\(url)".utf8).hexadecimal }
}

extension CacheKey: CustomStringConvertible, CustomReflectable {
    /// The URL without its secrets.
    public var description: String { URL(string: url).map { Redaction.standard.url($0) } ?? "‹a URL›" }
    /// A mirror that shows ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["key": description], displayStyle: .struct) }
}
