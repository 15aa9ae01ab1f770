import Errand
import ErrandJSON

/// Any JSON, for what has no type of its own: `extensions`, and variables of mixed kinds.
///
/// ```swift
/// let filter: GraphQLValue = ["name": "Morty", "page": 1, "tags": ["a", nil]]
/// error.extensions?["retryAfter"]?.int
/// ```
/// More than 128 levels, one within another, are an error of coding. A whole number beyond 64 bits is a ``double(_:)``.
public enum GraphQLValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number of 64 bits.
    case int(Int)
    /// Any other number.
    case double(Double)
    /// A text.
    case string(String)
    /// An array.
    case list([GraphQLValue])
    /// An object.
    case object([String: GraphQLValue])
}

extension GraphQLValue {
    /// The text of a text; nil for anything else.
    public var string: String? { if case .string(let text) = self { text } else { nil } }
    /// The number of a whole number; nil for anything else.
    public var int: Int? { if case .int(let number) = self { number } else { nil } }
    /// The number of any number; nil for anything else.
    public var double: Double? {
        switch self {
        case .double(let number): number
        case .int(let number): Double(number)
        default: nil
        }
    }
    /// The truth of `true` and `false`; nil for anything else.
    public var bool: Bool? { if case .bool(let truth) = self { truth } else { nil } }
    /// The elements of an array; nil for anything else.
    public var list: [GraphQLValue]? { if case .list(let values) = self { values } else { nil } }
    /// A member of an object; nil where there is none.
    public subscript(name: String) -> GraphQLValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }
}

extension GraphQLValue: Codable {
    private static let depthLimit = 128

    /// Reads any JSON value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard decoder.limitsNesting || decoder.codingPath.count <= Self.depthLimit else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "nested too deep")
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
            // As a dictionary, whose keys no decoding strategy changes.
            self = .object(try container.decode([String: GraphQLValue].self))
        }
    }

    /// Writes the value as the JSON that it stands for.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard encoder.codingPath.count <= Self.depthLimit else {
            let text = "nested deeper than \(Self.depthLimit) levels"
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
