extension APILoader {
    /// Returns the events of a server (HTML, section 9.2, "Server-sent events").
    ///
    /// ```swift
    /// for try await event in loader.events(query) {
    ///     print(event.type, event.data)
    /// }
    /// ```
    /// The request gets the headers `Accept: text/event-stream` and `Cache-Control: no-cache` unless the handler sets
    /// them. The validators check each header section. They also find the body of a JSON response, which is not an event
    /// stream, unless ``EventOptions/statuses`` accept any media type. `parseResponse` is not called.
    ///
    /// - Parameters:
    ///   - data: The input of the API call.
    ///   - options: The options of the source.
    /// - Returns: The events. They throw only ``ServiceError``: with the code of the last failure if the source does
    ///   not connect again, with ``ServiceError/Code/status`` or ``ServiceError/Code/validation`` if the response is
    ///   not an event stream, and with ``ServiceError/Code/bodyTooLarge`` if an event is too large.
    public func events(
        _ data: T.RequestDataType, options: EventOptions = EventOptions()
    ) -> EventSource<ServerSentEvent> {
        EventSource(
            connector: EventConnector(self, data), options: options, control: EventControl(), reading: .events)
    }

    /// Returns the values of the events of a server, decoded from JSON.
    ///
    /// ```swift
    /// for try await delta in loader.events(ChatQuery(text), as: ChatDelta.self, until: "[DONE]") {
    ///     print(delta.text)
    /// }
    /// ```
    /// All events are decoded, whatever their type is. For the events of one type, use
    /// ``EventSource/on(_:as:decoder:)``.
    ///
    /// - Parameters:
    ///   - data: The input of the API call.
    ///   - value: The type of the values.
    ///   - last: The data of the event that ends the source. If a request must not be sent again, and the server ends
    ///     its stream before this event, the error has the code ``ServiceError/Code/connectionLost``. If `nil` (the
    ///     default), the end of such a stream ends the source.
    ///   - options: The options of the source.
    ///   - decoder: The decoder with the strategies to use. The default is `JSONDecoder.errand`.
    /// - Returns: The values. In addition to the errors of ``events(_:options:)``, the code
    ///   ``ServiceError/Code/decoding`` is thrown if an event cannot be decoded.
    public func events<Value: Decodable & SendableMetatype & Sendable>(
        _ data: T.RequestDataType, as value: Value.Type, until last: String? = nil,
        options: EventOptions = EventOptions(), decoder: JSONDecoder = .errand
    ) -> EventSource<Value> {
        events(data, options: options).decoding(value, until: last, decoder: decoder)
    }
}

extension APILoader where T.RequestDataType == Void {
    /// Returns the events of an API call without input.
    public func events(options: EventOptions = EventOptions()) -> EventSource<ServerSentEvent> {
        events((), options: options)
    }

    /// Returns the values of the events of an API call without input, decoded from JSON.
    public func events<Value: Decodable & SendableMetatype & Sendable>(
        as value: Value.Type, until last: String? = nil, options: EventOptions = EventOptions(),
        decoder: JSONDecoder = .errand
    ) -> EventSource<Value> {
        events((), as: value, until: last, options: options, decoder: decoder)
    }
}
