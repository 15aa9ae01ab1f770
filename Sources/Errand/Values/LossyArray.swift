/// An array that omits the elements that cannot be decoded, and keeps their errors.
///
/// ```swift
/// struct Page: Decodable { @LossyArray var photos: [Photo] }
/// if !page.$photos.isEmpty { log("left out: \(page.$photos)") }
/// ```
/// Use it only if a partial list is better than an error. The omitted elements are lost, although not silently.
@propertyWrapper
public struct LossyArray<Element: Sendable>: Sendable {
    /// The decoded elements in order.
    public var wrappedValue: [Element]
    /// The errors of the elements that could not be decoded.
    public private(set) var projectedValue: [any Error]

    /// Creates a wrapper for an array.
    public init(wrappedValue: [Element]) {
        self.wrappedValue = wrappedValue
        self.projectedValue = []
    }
}

extension LossyArray: Decodable where Element: Decodable {
    private struct Lenient: Decodable {
        let result: Result<Element, any Error>

        init(from decoder: any Decoder) throws {
            result = Result { try Element(from: decoder) }
        }
    }

    /// Decodes the elements that can be decoded. Throws an error only if the value is not an array.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var (elements, errors): ([Element], [any Error]) = ([], [])
        while !container.isAtEnd {
            switch try container.decode(Lenient.self).result {
            case .success(let element): elements.append(element)
            case .failure(let error): errors.append(error)
            }
        }
        (wrappedValue, projectedValue) = (elements, errors)
    }
}

extension LossyArray: Encodable where Element: Encodable {
    /// Encodes the elements.
    public func encode(to encoder: any Encoder) throws {
        try wrappedValue.encode(to: encoder)
    }
}

extension LossyArray: Equatable where Element: Equatable {
    /// Whether both values contain the same elements.
    public static func == (one: Self, other: Self) -> Bool { one.wrappedValue == other.wrappedValue }
}

extension LossyArray: Hashable where Element: Hashable {
    /// Hashes the elements.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
