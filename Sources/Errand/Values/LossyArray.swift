/// An array that leaves out the elements that can't be decoded, and keeps why.
///
/// ```swift
/// struct Page: Decodable { @LossyArray var photos: [Photo] }
/// if !page.$photos.isEmpty { log("left out: \(page.$photos)") }
/// ```
/// Use it only where a part of a list is better than none of it: nothing is lost silently, but it is lost.
@propertyWrapper
public struct LossyArray<Element: Sendable>: Sendable {
    /// The elements that could be decoded, in their order.
    public var wrappedValue: [Element]
    /// Why each of the others could not be decoded.
    public private(set) var projectedValue: [any Error]

    /// Wraps an array.
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

    /// Decodes what can be decoded; only a value that is no array at all fails.
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
    /// Whether both hold the same elements.
    public static func == (one: Self, other: Self) -> Bool { one.wrappedValue == other.wrappedValue }
}

extension LossyArray: Hashable where Element: Hashable {
    /// Hashes the elements.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
