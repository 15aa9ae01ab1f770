extension APIRequest {
    /// The method; `GET` where the head names none.
    public var method: HTTPMethod {
        get { HTTPMethod(head.httpMethod ?? "GET") }
        set { head.httpMethod = newValue.rawValue }
    }

    /// The address, as the head has it.
    public var url: URL? {
        get { head.url }
        set { head.url = newValue }
    }

    /// The address's path as it is sent, percent-encoded; empty where there is no address.
    public var path: String { head.url?.path(percentEncoded: true) ?? "" }

    /// The query's items, percent-decoded (a `+` stays one), in their order.
    public var queryItems: [URLQueryItem] {
        head.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.queryItems } ?? []
    }

    /// The header fields, sorted by name: the platform's request keeps no order and folds duplicates.
    public var fields: HeaderFields {
        let pairs = (head.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        return HeaderFields(pairs.map { HeaderFields.Field($0.key, $0.value) })
    }
}
