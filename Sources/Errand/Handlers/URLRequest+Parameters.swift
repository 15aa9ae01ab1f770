extension URLRequest {
    /// The content type of JSON parameters.
    static let jsonType = "application/json"
    /// The content type of form parameters.
    static let formType = "application/x-www-form-urlencoded"

    /// Merges items into the query of the URL.
    mutating func setQuery(_ items: QueryItems) throws(ServiceError) {
        guard let url else { throw ServiceError(.encoding, "cannot set the query parameters: the request has no URL") }
        self.url = try items.merge(into: url)
    }

    /// Sets a JSON body, and its `Content-Type` if the request has no content type.
    mutating func setJSON(_ value: some Encodable, _ encoder: JSONEncoder) throws(ServiceError) {
        do {
            httpBody = try encoder.encode(value)
        } catch {
            throw ServiceError(wrapping: error, as: .encoding, "cannot encode the JSON body")
        }
        setDefaultContentType(Self.jsonType)
    }

    /// Sets a form body, and its `Content-Type` if the request has no content type.
    mutating func setForm(_ items: QueryItems) {
        httpBody = items.formBody
        setDefaultContentType(Self.formType)
    }

    private mutating func setDefaultContentType(_ type: String) {
        if value(forHTTPHeaderField: "Content-Type") == nil { setAbsent(["Content-Type": type]) }
    }
}
