extension APIRequest {
    /// The method. `GET` if ``head`` has none.
    public var method: HTTPMethod {
        get { HTTPMethod(base.httpMethod ?? "GET") }
        set { base.httpMethod = newValue.rawValue }
    }

    /// The URL of ``head``.
    public var url: URL? {
        get { base.url }
        set { base.url = newValue }
    }

    /// The path of the URL, percent-encoded as it is sent. Empty if ``url`` is `nil`.
    public var path: String { base.url?.path(percentEncoded: true) ?? "" }

    /// The query items in order, percent-decoded. A `+` is kept.
    public var queryItems: [URLQueryItem] {
        base.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.queryItems } ?? []
    }

    /// The headers, sorted by name. `URLRequest` keeps no order and combines duplicates.
    public var headers: HeaderFields {
        HeaderFields(unsortedFields.sorted { $0.name < $1.name })
    }

    /// The headers in no particular order. Faster than ``fields``, which sorts them.
    var unsortedFields: [HeaderFields.Field] {
        (base.allHTTPHeaderFields ?? [:]).map { HeaderFields.Field($0.key, $0.value) } + late
    }

    /// The value of a header, or `nil` if the request does not have the header.
    func value(ofField name: String) -> String? {
        late.first { $0.isNamed(name) }?.value ?? base.value(forHTTPHeaderField: name)
    }

    /// Fixes the boundary of a multipart body, and sets the content type that contains it.
    ///
    /// Every change of the head or the body calls this method, so that the header always matches the body.
    mutating func completeMultipart() {
        guard case .multipart(let multipart) = body else { return }
        guard multipart.boundary != nil else {
            // The observer of `body` calls this method again.
            body = .multipart(multipart.withBoundary(from: options.random))
            return
        }
        guard let type = multipart.contentType, value(ofField: "Content-Type") != type else { return }
        set(HeaderFields.Field("Content-Type", type))
    }

    /// Removes the content type of a multipart body that was replaced.
    mutating func removeContentType(of replaced: RequestBody) {
        guard case .multipart(let multipart) = replaced, let type = multipart.contentType, body != replaced,
            value(ofField: "Content-Type") == type
        else { return }
        head.setValue(nil, forHTTPHeaderField: "Content-Type")
    }

    /// Sets a header. A present value is replaced.
    mutating func set(_ field: HeaderFields.Field) {
        guard value(ofField: field.name) == nil else {
            return head.setValue(field.value, forHTTPHeaderField: field.name)
        }
        late.append(field)
    }
}
