import ErrandJSON

/// An identifier that is a `String` here, whether the server sends a string or a number.
///
/// ```swift
/// struct Bank: Codable {
///     @StringID var id: String
///     @StringID var parent: String?
/// }
/// ```
/// It encodes as a string. Whole numbers only: an identifier with a fraction is a decoding error. Numbers beyond 64 bits
/// lose digits in JSON decoders; servers send those as strings.
@propertyWrapper
public struct StringID<Value: StringIDValue>: Sendable, Hashable {
    /// The identifier.
    public var wrappedValue: Value

    /// Wraps an identifier.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
}

/// What ``StringID`` can wrap: `String` and `String?`.
public protocol StringIDValue: Sendable, Hashable {}

extension String: StringIDValue {}
extension String?: StringIDValue {}

extension StringID: Codable {
    /// Decodes a string or a whole number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let found: String?
        if container.decodeNil() {
            found = nil
        } else if decoder.mayHold(.string), let text = try? container.decode(String.self) {
            found = text
        } else if let number = try? container.decode(Int64.self) {
            found = String(number)
        } else {
            found = String(try container.decode(UInt64.self))
        }
        guard let value = found as? Value else {
            throw DecodingError.valueNotFound(
                String.self, .init(codingPath: decoder.codingPath, debugDescription: "an identifier is needed"))
        }
        wrappedValue = value
    }

    /// Encodes the identifier as a string, or null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let identifier = wrappedValue as? String {
            try container.encode(identifier)
        } else {
            try container.encodeNil()
        }
    }
}

extension KeyedDecodingContainer {
    /// Lets a missing key decode as nil for `@StringID var id: String?`.
    public func decode(_ type: StringID<String?>.Type, forKey key: Key) throws -> StringID<String?> {
        try decodeIfPresent(type, forKey: key) ?? StringID(wrappedValue: nil)
    }
}

extension KeyedEncodingContainer {
    /// Leaves the key out where `@StringID var id: String?` is nil.
    public mutating func encode(_ value: StringID<String?>, forKey key: Key) throws {
        if let identifier = value.wrappedValue { try encode(identifier, forKey: key) }
    }
}
