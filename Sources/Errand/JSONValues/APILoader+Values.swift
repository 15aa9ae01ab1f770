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
            connector: StreamConnector(self, data), limit: limit, skipsUndecodable: skipsUndecodable, decoder: decoder)
    }
}

extension APILoader where T.RequestDataType == Void {
    /// Returns the values of the streamed body of an API call without input, decoded from JSON while they arrive.
    public func values<Value: Decodable & SendableMetatype & Sendable>(
        as value: Value.Type, limit: Int = 8 << 20, skipsUndecodable: Bool = false, decoder: JSONDecoder = .errand
    ) -> JSONValues<Value> {
        values((), as: value, limit: limit, skipsUndecodable: skipsUndecodable, decoder: decoder)
    }
}
