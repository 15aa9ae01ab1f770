extension RequestOptions {
    enum IdentityKey: RequestOptionKey {
        static let defaultValue: Credentials.Identity? = nil
    }

    /// The identity of the request, for interceptors that share responses. Set by ``IdentityInterceptor``. `nil` if
    /// the request has no credentials or its identity is unknown. A resumable upload continues only for the same
    /// identity (``APILoader/upload(_:resumingBy:state:)``). Set it in ``RequestHandler/options(for:)`` for this.
    public var identity: Credentials.Identity? {
        get { self[IdentityKey.self] }
        set { self[IdentityKey.self] = newValue }
    }
}

extension APIRequest {
    /// The headers and query items that contain credentials.
    package var credentials: [HeaderFields.Field] {
        let redaction = options.redaction
        let items = (url?.query(percentEncoded: true) ?? "").split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            return HeaderFields.Field(name.removingPercentEncoding ?? String(name), String(item.dropFirst(name.count)))
        }
        return (Array(headers) + items).filter { redaction.hides($0.name) }
    }

    /// Whether a header or a query item contains credentials.
    package var hasCredentials: Bool { !credentials.isEmpty }
}
