import Errand
import ErrandJSON

/// Any JSON value, for data without a model type: `extensions`, and variables of mixed types.
///
/// ```swift
/// let filter: GraphQLValue = ["name": "Morty", "page": 1, "tags": ["a", nil]]
/// error.extensions?["retryAfter"]?.int
/// ```
/// More than 128 levels of nesting are an encoding or decoding error. An integer of more than 64 bits is a
/// ``double(_:)``.
public enum GraphQLValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// An integer of up to 64 bits.
    case int(Int)
    /// Any other number.
    case double(Double)
    /// A string.
    case string(String)
    /// An array.
    case list([GraphQLValue])
    /// An object.
    case object([String: GraphQLValue])
}

extension GraphQLValue {
    /// The value of a string, or `nil` for other values.
    public var string: String? { if case .string(let text) = self { text } else { nil } }
    /// The value of an integer, or `nil` for other values.
    public var int: Int? { if case .int(let number) = self { number } else { nil } }
    /// The value of any number, or `nil` for other values.
    public var double: Double? {
        switch self {
        case .double(let number): number
        case .int(let number): Double(number)
        default: nil
        }
    }
    /// The value of a Boolean, or `nil` for other values.
    public var bool: Bool? { if case .bool(let truth) = self { truth } else { nil } }
    /// The elements of an array, or `nil` for other values.
    public var list: [GraphQLValue]? { if case .list(let values) = self { values } else { nil } }
    /// The member of an object, or `nil` if it does not exist.
    public subscript(name: String) -> GraphQLValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }
}

extension GraphQLValue: Codable {
    private static let depthLimit = 128

    /// Decodes any JSON value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard decoder.limitsNesting || decoder.codingPath.count <= Self.depthLimit else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected at most 128 levels of nesting")
        }
        if container.decodeNil() {
            self = .null
        } else if decoder.mayHold(.string), let text = try? container.decode(String.self) {
            self = .string(text)
        } else if decoder.mayHold(.number), let number = try? container.decode(Int.self) {
            self = .int(number)
        } else if decoder.mayHold(.boolean), let truth = try? container.decode(Bool.self) {
            self = .bool(truth)
        } else if decoder.mayHold(.number), let number = try? container.decode(Double.self) {
            self = .double(number)
        } else if decoder.mayHold(.array), var elements = try? decoder.unkeyedContainer() {
            var values: [GraphQLValue] = []
            while !elements.isAtEnd { values.append(try elements.decode(GraphQLValue.self)) }
            self = .list(values)
        } else {
            // Key strategies do not change the keys of a dictionary.
            self = .object(try container.decode([String: GraphQLValue].self))
        }
    }

    /// Encodes the value as JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard encoder.codingPath.count <= Self.depthLimit else {
            let text = "expected at most \(Self.depthLimit) levels of nesting"
            throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: text))
        }
        switch self {
        case .null: try container.encodeNil()
        case .bool(let truth): try container.encode(truth)
        case .int(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
