/// An enum's case, or a value that the server added after the client was built.
///
/// ```swift
/// enum Orientation: String { case landscape, portrait }
/// struct Photo: Codable { let orientation: OpenEnum<Orientation> }
/// if photo.orientation == .landscape { … }
/// ```
/// Encodes the raw value, also an unknown one, so nothing is lost on the way back.
public enum OpenEnum<Known: RawRepresentable & Sendable>: Sendable where Known.RawValue: Sendable & Hashable {
    /// A value that the enum has.
    case known(Known)
    /// A value that it has not.
    case unknown(Known.RawValue)

    /// Finds the case of a raw value.
    public init(rawValue: Known.RawValue) {
        self = Known(rawValue: rawValue).map(Self.known) ?? .unknown(rawValue)
    }

    /// The value as it is on the wire.
    public var rawValue: Known.RawValue {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let raw): raw
        }
    }

    /// The enum's case, nil for an unknown value.
    public var value: Known? {
        if case .known(let value) = self { value } else { nil }
    }
}

extension OpenEnum: Hashable {
    /// Whether both have the same raw value.
    public static func == (one: Self, other: Self) -> Bool { one.rawValue == other.rawValue }
    /// Hashes the raw value.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Compares with a case directly: `orientation == .landscape`.
    public static func == (one: Self, other: Known) -> Bool { one.rawValue == other.rawValue }
}

extension OpenEnum: Decodable where Known.RawValue: Decodable {
    /// Decodes a raw value, known or not.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try Known.RawValue(from: decoder))
    }
}

extension OpenEnum: Encodable where Known.RawValue: Encodable {
    /// Encodes the raw value.
    public func encode(to encoder: any Encoder) throws {
        try rawValue.encode(to: encoder)
    }
}
