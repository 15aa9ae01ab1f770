/// A case of an enum, or a value that the server added after the client was built.
///
/// ```swift
/// enum Orientation: String { case landscape, portrait }
/// struct Photo: Codable { let orientation: OpenEnum<Orientation> }
/// if photo.orientation == .landscape { … }
/// ```
/// The raw value is encoded even if it is unknown, so that no value is lost when it is sent back.
public enum OpenEnum<Known: RawRepresentable & Sendable>: Sendable where Known.RawValue: Sendable & Hashable {
    /// A value with a case in the enum.
    case known(Known)
    /// A raw value without a case in the enum.
    case unknown(Known.RawValue)

    /// Creates a known value if the enum has a case for the raw value, otherwise an unknown value.
    public init(rawValue: Known.RawValue) {
        self = Known(rawValue: rawValue).map(Self.known) ?? .unknown(rawValue)
    }

    /// The raw value, which is encoded.
    public var rawValue: Known.RawValue {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let raw): raw
        }
    }

    /// The case of the enum, or `nil` for an unknown value.
    public var value: Known? {
        if case .known(let value) = self { value } else { nil }
    }
}

extension OpenEnum: Hashable {
    /// Whether both values have the same raw value.
    public static func == (one: Self, other: Self) -> Bool { one.rawValue == other.rawValue }
    /// Hashes the raw value.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Compares the value with a case directly: `orientation == .landscape`.
    public static func == (one: Self, other: Known) -> Bool { one.rawValue == other.rawValue }
}

extension OpenEnum: Decodable where Known.RawValue: Decodable {
    /// Decodes a raw value, known or unknown.
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
