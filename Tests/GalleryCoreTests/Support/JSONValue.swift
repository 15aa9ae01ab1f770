import Errand

/// Any JSON value, to compare decoded and encoded JSON.
indirect enum JSONValue: Decodable, Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    init(_ data: Data) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: data)
    }

    /// Returns the values at a path such as `tags[].title`, in order. `{}` matches every member of an object.
    ///
    /// Null values are omitted.
    func values(at path: Substring) -> [JSONValue] {
        guard !path.isEmpty else { return self == .null ? [] : [self] }
        if path.hasPrefix("[]") {
            guard case .list(let items) = self else { return [] }
            return items.flatMap { $0.values(at: path.dropFirst(2)) }
        }
        guard case .object(let members) = self else { return [] }
        let step = path.first == "." ? path.dropFirst() : path
        if step.hasPrefix("{}") {
            return members.sorted { $0.key < $1.key }.flatMap { $0.value.values(at: step.dropFirst(2)) }
        }
        let key = step.prefix { $0 != "." && $0 != "[" }
        return members[String(key)]?.values(at: step.dropFirst(key.count)) ?? []
    }

    /// Returns a normalized value: dates as numbers, identifiers as strings.
    func comparable(at path: String) -> JSONValue {
        switch self {
        case .text(let text) where path.hasSuffix("_at") || path.hasSuffix("_on"):
            (try? JSONDecoder.errand.decode([Date].self, from: Data("[\"\(text)\"]".utf8)).first)
                .map { .number($0.timeIntervalSince1970) } ?? self
        case .number(let number) where path.hasSuffix("id"): .text(String(Int(number)))
        default: self
        }
    }
    /// The text of a string, or `nil` for other values.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
