extension RequestHandler {
    /// Sets a request's query parameters from any `Encodable` value.
    ///
    /// They are merged with the query that the address has: an item of the same name is replaced, the others keep their
    /// bytes. Everything but RFC 3986's unreserved characters is percent-encoded, so a space is `%20` and a plus `%2B`.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``; its reason names the coding path, never a value.
    public func setQueryParams(
        _ parameters: some Encodable & SendableMetatype, on request: inout URLRequest,
        encoding: QueryEncoding = .standard
    ) throws(ServiceError) {
        try request.setQuery(encoding.items(from: parameters))
    }

    /// Sets a request's query parameters from a dictionary, in the order of its keys; nil is left out.
    ///
    /// Otherwise as with an `Encodable` value.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``.
    public func setQueryParams(
        _ parameters: [String: any Sendable], on request: inout URLRequest, encoding: QueryEncoding = .standard
    ) throws(ServiceError) {
        try request.setQuery(encoding.items(from: parameters))
    }

    /// Sets a JSON body, and `Content-Type: application/json` where the request has no type yet. The method stays.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``.
    public func setJSONBody(
        _ value: some Encodable & SendableMetatype, on request: inout URLRequest, encoder: JSONEncoder = .errand
    ) throws(ServiceError) {
        try request.setJSON(value, encoder)
    }

    /// Sets a JSON body from a dictionary; nil is null.
    ///
    /// Otherwise as with an `Encodable` value.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``.
    public func setJSONBody(
        _ values: [String: any Sendable], on request: inout URLRequest, encoder: JSONEncoder = .errand
    ) throws(ServiceError) {
        try request.setJSON(EncodableDictionary(values: values), encoder)
    }

    /// Sets a form body (WHATWG URL, section 5), and its `Content-Type` where the request has none yet.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``.
    public func setFormBody(
        _ value: some Encodable & SendableMetatype, on request: inout URLRequest, encoding: QueryEncoding = .standard
    ) throws(ServiceError) {
        request.setForm(try encoding.items(from: value))
    }

    /// Sets a form body from a dictionary, in the order of its keys; nil is left out.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``.
    public func setFormBody(
        _ values: [String: any Sendable], on request: inout URLRequest, encoding: QueryEncoding = .standard
    ) throws(ServiceError) {
        request.setForm(try encoding.items(from: values))
    }
}
