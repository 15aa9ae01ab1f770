/// The result of the conversion of an event (``EventSource/converting(includingEmpty:_:)``).
public enum EventConversion<Value: Sendable>: Sendable {
    /// An element of the source.
    case value(Value)
    /// The event has no element.
    case skip
    /// The event is the last one. The source closes the connection and ends without an error.
    case end
}

extension EventSource where Element == ServerSentEvent {
    /// Returns the values that a function creates from the events, for protocols that are based on event streams.
    ///
    /// ```swift
    /// let updates = loader.events(query).converting { event, _ in
    ///     switch event.type {
    ///     case "update": .value(try event.decode(as: Update.self))
    ///     case "end": .end
    ///     default: .skip
    ///     }
    /// }
    /// ```
    /// Use it for protocols with an event that ends the stream, for which `convert` returns ``EventConversion/end``. If
    /// the stream ends without it, the source connects again. If the request must not be repeated, the error has the code
    /// ``ServiceError/Code/connectionLost``.
    ///
    /// - Parameters:
    ///   - includesEmpty: Whether `convert` also receives events that have a type but no data. Their `data` is empty. The
    ///     HTML standard ignores such events (section 9.2.6), but some servers send them. The default is `false`.
    ///   - convert: Converts an event. Its second argument is the header section of the response. It runs off the
    ///     caller's actor. An error ends the source, unless its code is ``ServiceError/Code/decoding`` and
    ///     ``EventOptions/skipsUndecodable`` is set. An error other than ``ServiceError`` gets the code
    ///     ``ServiceError/Code/decoding``.
    /// - Returns: The values. An event that cannot be decoded is an error, or is skipped
    ///   (``EventOptions/skipsUndecodable``).
    public func converting<Value: Sendable>(
        includingEmpty includesEmpty: Bool = false,
        _ convert: @escaping @Sendable (ServerSentEvent, ResponseHead) throws -> EventConversion<Value>
    ) -> EventSource<Value> {
        let (control, skips) = (control, options.skipsUndecodable)
        return reading(
            EventReading(requiresLastEvent: true, includesEmpty: includesEmpty) { activity, head throws(ServiceError) in
                guard case .event(let event) = activity, let head else { return .skip }
                do {
                    switch try convert(event, head) {
                    case .value(let value): return .element(value)
                    case .skip: return .skip
                    case .end: return .end
                    }
                } catch {
                    let failure = event.failure(error, head)
                    guard skips, failure.code == .decoding else { throw failure }
                    control.skip()
                    return .skip
                }
            })
    }
}

extension EventSource {
    /// Returns a source that ends with an error if the body of a response is JSON instead of an event stream.
    ///
    /// - Parameter refusal: Returns the error for a body, or `nil` for one that is ignored. It is called only for
    ///   lenient options, because the validators find such a body otherwise.
    /// - Returns: The source.
    package func refusing(_ refusal: @escaping @Sendable (ResponseHead, Data) -> ServiceError?) -> EventSource {
        var reading = reading
        reading.refusal = { head, body in
            guard var error = refusal(head, body) else { return nil }
            error.response = error.response ?? head
            error.body = error.body ?? body.prefix(ServiceError.bodyLimit)
            return error
        }
        return EventSource(connector: connector, options: options, control: control, reading: reading)
    }
}

extension ServerSentEvent {
    /// Returns the error of a conversion with the data and the header section of the response.
    fileprivate func failure(_ error: any Error, _ head: ResponseHead) -> ServiceError {
        var failure = ServiceError(wrapping: error, as: .decoding, "the event could not be converted")
        failure.response = failure.response ?? head
        failure.body = failure.body ?? Data(data.utf8).prefix(ServiceError.bodyLimit)
        return failure
    }
}
