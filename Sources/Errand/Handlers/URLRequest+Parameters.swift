extension URLRequest {
    /// Merges items into the query.
    mutating func setQuery(_ items: QueryItems) throws(ServiceError) {
        guard let url else { throw ServiceError(.encoding, "the request has no address") }
        self.url = try items.merge(into: url)
    }

    /// Sets a JSON body; the `Content-Type` only where there is none yet.
    mutating func setJSON(_ value: some Encodable, _ encoder: JSONEncoder) throws(ServiceError) {
        do {
            httpBody = try encoder.encode(value)
        } catch {
            throw ServiceError(wrapping: error, as: .encoding, "the body can't be encoded")
        }
        setDefaultContentType("application/json")
    }

    /// Sets a form body; the `Content-Type` only where there is none yet.
    mutating func setForm(_ items: QueryItems) {
        httpBody = items.formBody
        setDefaultContentType("application/x-www-form-urlencoded")
    }

    private mutating func setDefaultContentType(_ type: String) {
        if value(forHTTPHeaderField: "Content-Type") == nil { setAbsent(["Content-Type": type]) }
    }
}
