extension RequestHandler {
    /// Sets the query parameters of a request from any `Encodable` value.
    ///
    /// The parameters are merged with the existing query of the URL. An item with the same name is replaced. The
    /// other items keep their bytes. All characters except RFC 3986's unreserved ones are percent-encoded: a space is
    /// `%20`, a plus `%2B`.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``. Its reason contains the coding path, never a
    ///   value.
    public func setQueryParams(
        _ parameters: some Encodable & SendableMetatype, on request: inout URLRequest,
        encoding: QueryEncoding = .standard
    ) throws(ServiceError) {
        try request.setQuery(encoding.items(from: parameters))
    }

    /// Sets the query parameters of a request from a dictionary, sorted by key. `nil` values are omitted.
    ///
    /// Existing items are merged, and characters encoded, as for an `Encodable` value.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``.
    public func setQueryParams(
        _ parameters: [String: any Sendable], on request: inout URLRequest, encoding: QueryEncoding = .standard
    ) throws(ServiceError) {
        try request.setQuery(encoding.items(from: parameters))
    }

    /// Sets a JSON body, and `Content-Type: application/json` if the request has no content type. The method is
    /// unchanged.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``.
    public func setJSONBody(
        _ value: some Encodable & SendableMetatype, on request: inout URLRequest, encoder: JSONEncoder = .errand
    ) throws(ServiceError) {
        try request.setJSON(value, encoder)
    }

    /// Sets a JSON body from a dictionary. `nil` is encoded as `null`.
    ///
    /// The content type and the method are handled as for an `Encodable` value.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``.
    public func setJSONBody(
        _ values: [String: any Sendable], on request: inout URLRequest, encoder: JSONEncoder = .errand
    ) throws(ServiceError) {
        try request.setJSON(EncodableDictionary(values: values), encoder)
    }

    /// Sets a form body (WHATWG URL, section 5), and its `Content-Type` if the request has no content type.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``.
    public func setFormBody(
        _ value: some Encodable & SendableMetatype, on request: inout URLRequest, encoding: QueryEncoding = .standard
    ) throws(ServiceError) {
        request.setForm(try encoding.items(from: value))
    }

    /// Sets a form body from a dictionary, sorted by key. `nil` values are omitted.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``.
    public func setFormBody(
        _ values: [String: any Sendable], on request: inout URLRequest, encoding: QueryEncoding = .standard
    ) throws(ServiceError) {
        request.setForm(try encoding.items(from: values))
    }
}
