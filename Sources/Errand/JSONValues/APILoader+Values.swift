extension APILoader {
    /// Returns the values of a streamed body, decoded from JSON while they arrive.
    ///
    /// ```swift
    /// for try await entry in loader.values(query, as: LogEntry.self) { show(entry) }
    /// ```
    /// The body is a JSON text sequence (RFC 7464) if its media type is `application/json-seq` or ends with
    /// `+json-seq`. Otherwise, it has one value on each line (JSON Lines, NDJSON), and blank lines are ignored. The
    /// validators check the header section. `parseResponse` is not called.
    ///
    /// - Parameters:
    ///   - data: The input of the API call.
    ///   - value: The type of the values.
    ///   - limit: The maximum number of bytes of a value. The default is 8 MB. A larger value throws
    ///     ``ServiceError/Code/bodyTooLarge``.
    ///   - skipsUndecodable: Whether values that cannot be decoded are skipped and counted
    ///     (``JSONValues/skippedCount``). The default is `false`: such a value throws ``ServiceError/Code/decoding``
    ///     with the number of its line or element.
    ///   - decoder: The decoder with the strategies to use. The default is `JSONDecoder.errand`.
    /// - Returns: The values. They throw only ``ServiceError``.
    public func values<Value: Decodable & SendableMetatype & Sendable>(
        _ data: T.RequestDataType, as value: Value.Type, limit: Int = 8 << 20, skipsUndecodable: Bool = false,
        decoder: JSONDecoder = .errand
    ) -> JSONValues<Value> {
        JSONValues(
            connector: StreamConnector(self, data), isArray: false, limit: limit, skipsUndecodable: skipsUndecodable,
            decoder: decoder)
    }

    /// Returns the elements of a JSON array, decoded while they arrive.
    ///
    /// ```swift
    /// for try await customer in loader.elements(export, as: Customer.self) { try insert(customer) }
    /// ```
    /// The body is one array (RFC 8259) in UTF-8, of any size. Memory is needed for one chunk and one element. The
    /// elements before a malformed part of the body are returned. The validators check the header section.
    /// `parseResponse` is not called.
    ///
    /// - Parameters:
    ///   - data: The input of the API call.
    ///   - element: The type of the elements.
    ///   - limit: The maximum number of bytes of an element. The default is 8 MB. A larger element throws
    ///     ``ServiceError/Code/bodyTooLarge``.
    ///   - skipsUndecodable: Whether elements that cannot be decoded are skipped and counted
    ///     (``JSONValues/skippedCount``). The default is `false`: such an element throws
    ///     ``ServiceError/Code/decoding`` with its number. A body that is not an array is always an error.
    ///   - decoder: The decoder with the strategies to use. The default is `JSONDecoder.errand`.
    /// - Returns: The elements. They throw only ``ServiceError``.
    public func elements<Element: Decodable & SendableMetatype & Sendable>(
        _ data: T.RequestDataType, as element: Element.Type, limit: Int = 8 << 20, skipsUndecodable: Bool = false,
        decoder: JSONDecoder = .errand
    ) -> JSONValues<Element> {
        JSONValues(
            connector: StreamConnector(self, data), isArray: true, limit: limit, skipsUndecodable: skipsUndecodable,
            decoder: decoder)
    }
}

extension APILoader where T.RequestDataType == Void {
    /// Returns the values of the streamed body of an API call without input, decoded from JSON while they arrive.
    public func values<Value: Decodable & SendableMetatype & Sendable>(
        as value: Value.Type, limit: Int = 8 << 20, skipsUndecodable: Bool = false, decoder: JSONDecoder = .errand
    ) -> JSONValues<Value> {
        values((), as: value, limit: limit, skipsUndecodable: skipsUndecodable, decoder: decoder)
    }

    /// Returns the elements of the JSON array of an API call without input, decoded while they arrive.
    public func elements<Element: Decodable & SendableMetatype & Sendable>(
        as element: Element.Type, limit: Int = 8 << 20, skipsUndecodable: Bool = false, decoder: JSONDecoder = .errand
    ) -> JSONValues<Element> {
        elements((), as: element, limit: limit, skipsUndecodable: skipsUndecodable, decoder: decoder)
    }
}
