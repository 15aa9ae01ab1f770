/// A dictionary of mixed values as something that encodes: nested dictionaries and lists, optionals, and whatever is
/// `Encodable` itself.
struct EncodableDictionary: Encodable {
    /// The deepest nesting that is written; what is deeper would exhaust the stack.
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
                let text = "nested deeper than \(EncodableDictionary.depthLimit) levels"
                throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: text))
            }
            switch value {
            case let values as [String: any Sendable]:
                try EncodableDictionary(values: values).encode(to: encoder)
            case let value as any Encodable:
                // Through a container, so that the encoder's own strategies for dates and data apply.
                var container = encoder.singleValueContainer()
                try container.encode(value)
            case let values as [any Sendable]:
                try values.map(Member.init).encode(to: encoder)
            case Optional<any Sendable>.none:
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            default:
                let text = "a \(type(of: value)) is not Encodable"
                throw EncodingError.invalidValue(value, .init(codingPath: encoder.codingPath, debugDescription: text))
            }
        }
    }
}
