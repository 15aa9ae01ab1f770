import ErrandSupport

/// The credentials of one request: a header or a query item.
///
/// ```swift
/// Credentials.header("X-API-Key", key)
/// Credentials.bearer(token, generation: 7)
/// ```
/// No description contains the value.
public struct Credentials: Sendable, Hashable {
    private enum Location: Sendable, Hashable {
        case header(String)
        case query(String)
    }

    private let location: Location
    private let value: Secret
    /// The version of the credentials. An ``Authorizer`` increments it with each new token.
    public let generation: UInt64
    /// A note for the trail of the API call. It must not contain a secret.
    public var note: String?

    /// Credentials in a header.
    public static func header(_ name: String, _ value: Secret, generation: UInt64 = 0) -> Credentials {
        Credentials(location: .header(name), value: value, generation: generation)
    }

    /// Credentials in a query item. It replaces an existing item with the same name.
    public static func query(_ name: String, _ value: Secret, generation: UInt64 = 0) -> Credentials {
        Credentials(location: .query(name), value: value, generation: generation)
    }

    /// A bearer token in the `Authorization` header (RFC 6750, section 2.1).
    public static func bearer(_ token: Secret, generation: UInt64 = 0) -> Credentials {
        .header("Authorization", Secret("Bearer " + token.reveal()), generation: generation)
    }

    /// A user name and a password in the `Authorization` header, encoded as UTF-8 (RFC 7617, section 2).
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` if the user name contains a colon, or if
    ///   either contains a control character.
    public static func basic(user: String, password: Secret) throws(ServiceError) -> Credentials {
        let text = user + ":" + password.reveal()
        guard !user.utf8.contains(UInt8(ascii: ":")) else {
            throw ServiceError(.configuration, "invalid user name: expected a name without a colon")
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 32 || (127..<160).contains($0.value) }) else {
            throw ServiceError(
                .configuration, "invalid user name or password: expected text without control characters")
        }
        return .header("Authorization", Secret("Basic " + Data(text.utf8).base64EncodedString()))
    }
}

extension Credentials {
    /// Whether the credentials are equal. Notes are not compared.
    package func isSame(as other: Credentials) -> Bool {
        location == other.location && value == other.value && generation == other.generation
    }

    /// Whether a request already has a header or query item with the name of these credentials.
    package func isTaken(in request: APIRequest) -> Bool {
        switch location {
        case .header(let name): request.value(ofField: name) != nil
        case .query(let name): request.queryItems.contains { $0.name == name }
        }
    }

    /// Adds these credentials to a request, and hides their name in all descriptions of the request.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the name or the value cannot be sent.
    package func apply(to request: inout APIRequest) throws(ServiceError) {
        switch location {
        case .header(let name):
            let header = HeaderFields.Field(name, value.reveal())
            if let flaw = header.flaw { throw ServiceError(.encoding, flaw) }
            if !request.options.redaction.hides(name) { request.options.redaction.hide(name) }
            request.set(header)
        case .query(let name):
            if !request.options.redaction.hides(name) { request.options.redaction.hide(name) }
            try request.head.setQuery(QueryItems([QueryItem(name, value.reveal())]))
        }
    }

    /// Returns a response head without these credentials in its URL. Outer interceptors see this URL and do not know
    /// which item to hide.
    package func removed(from head: ResponseHead) -> ResponseHead {
        guard case .query(let name) = location, let url = Self.removing(name, from: head.url) else { return head }
        var clean = ResponseHead(status: head.status, reason: head.reason, headers: head.headers, url: url)
            .hiding(head.redaction)
        (clean.secrets, clean.cacheAge) = (head.secrets, head.cacheAge)
        return clean
    }

    private static func removing(_ name: String, from url: URL) -> URL? {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let query = parts.percentEncodedQuery
        else { return nil }
        let items = query.split(separator: "&", omittingEmptySubsequences: false)
        let kept = items.filter { item in
            String(decoding: PercentEncoding.decoded(item.prefix { $0 != "=" }), as: UTF8.self) != name
        }
        guard kept.count < items.count else { return nil }
        parts.percentEncodedQuery = kept.isEmpty ? nil : kept.joined(separator: "&")
        return parts.url
    }
}

extension Credentials: CustomStringConvertible, CustomReflectable {
    /// The mask of redacted text.
    public var description: String { Redaction.mask }
    /// A mirror without the value.
    public var customMirror: Mirror { Mirror(self, children: ["generation": generation]) }
}
