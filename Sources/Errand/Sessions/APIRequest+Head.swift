extension APIRequest {
    /// The method; `GET` where the head names none.
    public var method: HTTPMethod {
        get { HTTPMethod(base.httpMethod ?? "GET") }
        set { base.httpMethod = newValue.rawValue }
    }

    /// The address, as the head has it.
    public var url: URL? {
        get { base.url }
        set { base.url = newValue }
    }

    /// The address's path as it is sent, percent-encoded; empty where there is no address.
    public var path: String { base.url?.path(percentEncoded: true) ?? "" }

    /// The query's items, percent-decoded (a `+` stays one), in their order.
    public var queryItems: [URLQueryItem] {
        base.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.queryItems } ?? []
    }

    /// The header fields, sorted by name: the platform's request keeps no order and folds duplicates.
    public var fields: HeaderFields {
        HeaderFields(unsortedFields.sorted { $0.name < $1.name })
    }

    /// The same without the work of putting them in order.
    var unsortedFields: [HeaderFields.Field] {
        (base.allHTTPHeaderFields ?? [:]).map { HeaderFields.Field($0.key, $0.value) } + late
    }

    /// The value of a header field; nil where there is none of that name.
    func value(ofField name: String) -> String? {
        late.first { $0.isNamed(name) }?.value ?? base.value(forHTTPHeaderField: name)
    }

    /// Sets a header field.
    mutating func set(_ field: HeaderFields.Field) {
        guard value(ofField: field.name) == nil else {
            return head.setValue(field.value, forHTTPHeaderField: field.name)
        }
        late.append(field)
    }
}
