import ErrandJSON

/// An identifier that is decoded to a `String` if the server sends a string or a number.
///
/// ```swift
/// struct Bank: Codable {
///     @StringID var id: String
///     @StringID var parent: String?
/// }
/// ```
/// It is encoded as a string. A number must be an integer: an identifier with a fraction is a decoding error. JSON
/// decoders lose digits of integers beyond 64 bits, so servers send those as strings.
@propertyWrapper
public struct StringID<Value: StringIDValue>: Sendable, Hashable {
    /// The identifier.
    public var wrappedValue: Value

    /// Creates a wrapper for an identifier.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
}

/// A type that ``StringID`` can wrap: `String` or `String?`.
public protocol StringIDValue: Sendable, Hashable {}

extension String: StringIDValue {}
extension String?: StringIDValue {}

extension StringID: Codable {
    /// Decodes a string or an integer. If `Value` is optional, also null.
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
                String.self,
                .init(codingPath: decoder.codingPath, debugDescription: "expected an identifier, found null"))
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
    /// Decodes a missing key as `nil` for `@StringID var id: String?`.
    public func decode(_ type: StringID<String?>.Type, forKey key: Key) throws -> StringID<String?> {
        try decodeIfPresent(type, forKey: key) ?? StringID(wrappedValue: nil)
    }
}

extension KeyedEncodingContainer {
    /// Omits the key if `@StringID var id: String?` is `nil`.
    public mutating func encode(_ value: StringID<String?>, forKey key: Key) throws {
        if let identifier = value.wrappedValue { try encode(identifier, forKey: key) }
    }
}
