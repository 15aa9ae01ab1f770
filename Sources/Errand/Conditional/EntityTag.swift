/// An entity tag, which identifies a version of a resource (RFC 9110, section 8.8.3).
///
/// ```swift
/// let tag = EntityTag(#"W/"67ab43""#)     // isWeak, opaque is "67ab43"
/// EntityTag("67ab43")                     // nil: the quotes are missing
/// ```
/// Two tags are equal if both are strong or both are weak, and their opaque texts have the same bytes.
public struct EntityTag: Sendable, CustomStringConvertible {
    /// Whether the tag is weak. Representations with the same weak tag are equivalent, but their bytes can differ.
    public let isWeak: Bool
    /// The text between the quotes.
    public let opaque: String

    /// Parses the value of an `ETag` header. Returns `nil` for any other text.
    ///
    /// Parsing is strict: an optional `W/` in upper case, and a text in double quotes without white space, quotes and
    /// control characters.
    public init?(_ value: String) {
        var rest = Substring(value).utf8
        isWeak = rest.starts(with: "W/".utf8)
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.count >= 2, rest.first == UInt8(ascii: "\""), rest.last == UInt8(ascii: "\"") else { return nil }
        rest = rest.dropFirst().dropLast()
        guard rest.allSatisfy(\.isEntityTagByte) else { return nil }
        opaque = String(Substring(rest))
    }

    /// The tag as the value of a header, such as `W/"67ab43"`.
    public var description: String { "\(isWeak ? "W/" : "")\"\(opaque)\"" }

    /// Returns the result of the strong comparison: both tags are strong, and their texts are equal (section 8.8.3.2).
    /// The representations then have identical bytes.
    public func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && self == other }

    /// Returns the result of the weak comparison: the texts are equal (section 8.8.3.2).
    public func matchesWeakly(_ other: EntityTag) -> Bool { opaque.utf8.elementsEqual(other.opaque.utf8) }
}

extension EntityTag: Hashable {
    /// Returns whether two tags have the same bytes. `String` would compare canonical equivalents.
    public static func == (one: EntityTag, other: EntityTag) -> Bool {
        one.isWeak == other.isWeak && one.matchesWeakly(other)
    }

    /// Hashes the bytes that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(isWeak)
        for byte in opaque.utf8 { hasher.combine(byte) }
        // 0xFF does not occur in UTF-8.
        hasher.combine(0xFF as UInt8)
    }
}

extension EntityTag: Codable {
    /// Decodes the ``description``.
    /// - Throws: `DecodingError` if the text is not an entity tag.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let tag = EntityTag(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected an entity tag (RFC 9110)")
        }
        self = tag
    }

    /// Encodes the ``description``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension UInt8 {
    /// Whether this is a character of an opaque tag. Bytes from 0x80 are allowed.
    fileprivate var isEntityTagByte: Bool { self == 0x21 || (0x23...0x7E).contains(self) || self >= 0x80 }
}
