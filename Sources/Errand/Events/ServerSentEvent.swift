import ErrandJSON
import ErrandSupport

/// An event of an event stream (HTML, section 9.2, "Server-sent events").
public struct ServerSentEvent: Sendable, Hashable {
    /// The type of the event. It is `message` if the server sent none.
    public var type: String
    /// The data. Several `data` lines are joined with line feeds.
    public var data: String
    /// The last event ID at the time of the event: that of this event, or of an earlier one. Empty if there is none.
    public var id: String

    /// Creates an event, for test doubles.
    public init(type: String = "message", data: String, id: String = "") {
        (self.type, self.data, self.id) = (type, data, id)
    }

    /// Decodes the data from JSON.
    ///
    /// ```swift
    /// for try await event in loader.events(query) where event.type == "price" {
    ///     show(try event.decode(as: Price.self))
    /// }
    /// ```
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder with the strategies to use. The default is `JSONDecoder.errand`.
    /// - Returns: The value.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/decoding``. Its reason has the type and the ID of the event,
    ///   and the position in the data. Its ``ServiceError/body`` is the data.
    public func decode<Value: Decodable>(
        as type: Value.Type, decoder: JSONDecoder = .errand
    ) throws(ServiceError) -> Value {
        let bytes = Data(data.utf8)
        do {
            return try FastJSONDecoder(decoder).decode(type, from: bytes)
        } catch {
            var failure = decoder.failure(error, decoding: type, from: bytes)
            guard failure.code == .decoding else { throw failure }
            failure.reason = "the data of \(name) cannot be decoded: \(failure.reason)"
            failure.body = bytes.prefix(ServiceError.bodyLimit)
            throw failure
        }
    }

    /// The type and the ID of the event, for error messages.
    private var name: String {
        let type = "the event of type \(type.singleLine(limit: 40))"
        return id.isEmpty ? type : "\(type) with the ID \(id.singleLine(limit: 40))"
    }
}
