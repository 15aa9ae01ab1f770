/// An `Encodable` wrapper of a dictionary with mixed values: nested dictionaries and arrays, optionals and
/// `Encodable` values.
struct EncodableDictionary: Encodable {
    /// The maximum nesting depth: 64. Deeper values throw an error, because they could exhaust the stack.
    static let depthLimit = 64

    let values: [String: any Sendable]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (key, value) in values { try container.encode(Member(value: value), forKey: Key(stringValue: key)) }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    private struct Member: Encodable {
        let value: any Sendable

        func encode(to encoder: any Encoder) throws {
            guard encoder.codingPath.count <= EncodableDictionary.depthLimit else {
                let text = "expected at most \(EncodableDictionary.depthLimit) levels of nesting, found more"
                throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: text))
            }
            switch value {
            case let values as [String: any Sendable]:
                try EncodableDictionary(values: values).encode(to: encoder)
            case let value as any Encodable:
                // The container applies the encoder's strategies for dates and data. `value.encode(to:)` would not.
                var container = encoder.singleValueContainer()
                try container.encode(value)
            case let values as [any Sendable]:
                try values.map(Member.init).encode(to: encoder)
            case Optional<any Sendable>.none:
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            default:
                let text = "expected an Encodable value, found one of type \(type(of: value))"
                throw EncodingError.invalidValue(value, .init(codingPath: encoder.codingPath, debugDescription: text))
            }
        }
    }
}
