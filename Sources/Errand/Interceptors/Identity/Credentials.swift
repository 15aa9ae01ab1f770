import ErrandSupport

/// What goes into one request to show who is asking: a header field or an item of the query.
///
/// ```swift
/// Credentials.header("X-API-Key", key)
/// Credentials.bearer(token, generation: 7)
/// ```
/// No description shows the value.
public struct Credentials: Sendable, Hashable {
    private enum Place: Sendable, Hashable {
        case header(String)
        case query(String)
    }

    private let place: Place
    private let value: Secret
    /// Which of its credentials an ``Authorizer`` gave: it grows with each new one.
    public let generation: UInt64
    /// What the call's trail says of them; it must hold no secret.
    public var note: String?

    /// A header field.
    public static func header(_ name: String, _ value: Secret, generation: UInt64 = 0) -> Credentials {
        Credentials(place: .header(name), value: value, generation: generation)
    }

    /// An item of the query, in the place of one that has the name.
    public static func query(_ name: String, _ value: Secret, generation: UInt64 = 0) -> Credentials {
        Credentials(place: .query(name), value: value, generation: generation)
    }

    /// A bearer token in `Authorization` (RFC 6750, section 2.1).
    public static func bearer(_ token: Secret, generation: UInt64 = 0) -> Credentials {
        .header("Authorization", Secret("Bearer " + token.reveal()), generation: generation)
    }

    /// A name and a password in `Authorization`, as UTF-8 (RFC 7617, section 2).
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` where the name holds a colon, or one of them a
    ///   control character.
    public static func basic(user: String, password: Secret) throws(ServiceError) -> Credentials {
        let text = user + ":" + password.reveal()
        guard !user.utf8.contains(UInt8(ascii: ":")) else {
            throw ServiceError(.configuration, "a user's name can't hold a colon")
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 32 || (127..<160).contains($0.value) }) else {
            throw ServiceError(.configuration, "the name or the password holds a control character")
        }
        return .header("Authorization", Secret("Basic " + Data(text.utf8).base64EncodedString()))
    }
}

extension Credentials {
    /// Whether these are the same as others, whatever is said of them.
    package func isSame(as other: Credentials) -> Bool {
        place == other.place && value == other.value && generation == other.generation
    }

    /// Whether a request has credentials of its own at this place.
    package func isTaken(in request: APIRequest) -> Bool {
        switch place {
        case .header(let name): request.value(ofField: name) != nil
        case .query(let name): request.queryItems.contains { $0.name == name }
        }
    }

    /// Sets these credentials, whose name the call's descriptions hide from here on.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` for what can't be sent.
    package func apply(to request: inout APIRequest) throws(ServiceError) {
        switch place {
        case .header(let name):
            let field = HeaderFields.Field(name, value.reveal())
            if let flaw = field.flaw { throw ServiceError(.encoding, flaw) }
            if !request.options.redaction.hides(name) { request.options.redaction.hide(name) }
            request.set(field)
        case .query(let name):
            if !request.options.redaction.hides(name) { request.options.redaction.hide(name) }
            try request.head.setQuery(QueryItems([QueryItem(name, value.reveal())]))
        }
    }

    /// A head without these credentials in its address: it says where the answer came from, and outer interceptors don't know
    /// what to hide.
    package func removed(from head: ResponseHead) -> ResponseHead {
        guard case .query(let name) = place, let url = address(head.url, without: name) else { return head }
        let clean = ResponseHead(status: head.status, reason: head.reason, fields: head.fields, url: url)
        return clean.hiding(head.redaction)
    }

    private func address(_ url: URL, without name: String) -> URL? {
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
    /// The text that is safe to print.
    public var description: String { Redaction.mask }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["generation": generation]) }
}
