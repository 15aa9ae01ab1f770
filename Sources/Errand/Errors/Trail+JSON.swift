extension Trail: Encodable {
    /// Encodes an array of objects with `at` (milliseconds), `source` and `message`. The object of an attempt also has
    /// `status`, `failure` and `elapsed` (milliseconds).
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for event in events { try list.encode(event) }
    }

    /// The trail as JSON text with sorted keys.
    public var json: String {
        (try? JSONEncoder.errand.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }
}

extension Trail.Event: Encodable {
    private enum Key: String, CodingKey {
        case at, source, message, status, failure, elapsed
    }

    /// Encodes one object of ``Trail/json``.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(moment.milliseconds.asDouble, forKey: .at)
        try object.encode("\(source)", forKey: .source)
        try object.encode(message, forKey: .message)
        guard let attempt else { return }
        try object.encodeIfPresent(attempt.status, forKey: .status)
        try object.encodeIfPresent(attempt.failure?.rawValue, forKey: .failure)
        try object.encode(attempt.elapsed.milliseconds.asDouble, forKey: .elapsed)
    }
}

extension String {
    fileprivate var asDouble: Double { Double(self) ?? 0 }
}
