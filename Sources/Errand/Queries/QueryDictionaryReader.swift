import ErrandSupport

/// Reads dictionaries that have values of different types, by dynamic casts.
struct QueryDictionaryReader {
    let encoding: QueryEncoding
    let journal: QueryJournal

    /// Returns the members of a dictionary that have a value, sorted by key.
    func members(
        of dictionary: [String: Any], at path: [any CodingKey] = [], depth: Int = 1
    ) throws -> [QueryValue.Member] {
        try dictionary.sorted { $0.key < $1.key }.compactMap { key, raw in
            try value(of: raw, at: path + [PathKey(key)], depth: depth).map { .init(name: key, value: $0) }
        }
    }

    private func value(of raw: Any, at path: [any CodingKey], depth: Int) throws -> QueryValue? {
        if let optional = raw as? any OptionalValue {
            return try optional.wrapped.flatMap { try value(of: $0, at: path, depth: depth) }
        }
        if let text = try encoding.text(of: raw, at: path) { return .text(text) }
        guard depth < QueryEncoder.depthLimit else { throw QueryProblem.tooDeep.error(at: path) }
        if let members = raw as? [String: Any] {
            return .object(try self.members(of: members, at: path, depth: depth + 1))
        }
        if let elements = raw as? [Any] { return try list(of: elements, at: path, depth: depth + 1) }
        if let encodable = raw as? any Encodable { return try value(encoding: encodable, at: path, depth: depth) }
        if let representable = raw as? any RawRepresentable {
            return try value(of: representable.rawValue, at: path, depth: depth + 1)
        }
        throw QueryProblem.unsupported(type: "\(type(of: raw))").error(at: path)
    }

    private func list(of elements: [Any], at path: [any CodingKey], depth: Int) throws -> QueryValue? {
        .list(
            try elements.enumerated().compactMap { index, raw in
                try value(of: raw, at: path + [PathKey(index: index)], depth: depth)
            })
    }

    private func value(encoding value: any Encodable, at path: [any CodingKey], depth: Int) throws -> QueryValue? {
        let encoder = QueryEncoder(
            encoding: encoding, journal: journal, node: QueryNode(), codingPath: path, depth: depth)
        return try encoder.written(value).resolved()
    }
}

/// Unwraps an `Optional` of any type.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}
