extension RequestOptions {
    private enum IdentityKey: RequestOptionKey {
        static let defaultValue: Credentials.Identity? = nil

        // The optional itself: requests without an identity share responses, too.
        static func sharedValue(_ value: Credentials.Identity?) -> (any Hashable & Sendable)? {
            value as any Hashable & Sendable
        }
    }

    /// Whose credentials the call carries, for interceptors that share answers; ``IdentityInterceptor`` sets it. Nil:
    /// nobody's, or not known.
    public var identity: Credentials.Identity? {
        get { self[IdentityKey.self] }
        set { self[IdentityKey.self] = newValue }
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
