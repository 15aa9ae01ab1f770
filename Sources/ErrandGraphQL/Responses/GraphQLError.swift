import Errand
import ErrandSupport

/// One error of a GraphQL response (GraphQL, section 7.1.2).
///
/// Its description has code, path and locations, never the message: services repeat in it the values that they refuse,
/// which may be secrets. Read ``message`` where it may be shown.
public struct GraphQLError: Error, Sendable, Hashable {
    /// One step of a path.
    public enum PathElement: Sendable, Hashable {
        /// A field's response name: its alias, or its name.
        case field(String)
        /// A place in a list, from 0.
        case index(Int)
    }

    /// What went wrong, for a developer.
    public let message: String
    /// Which field of the data failed; nil for a request error.
    public let path: [PathElement]?
    /// Where in the document; nil where the service does not say.
    public let locations: [GraphQLLocation]?
    /// What the service adds.
    public let extensions: [String: GraphQLValue]?

    /// Makes an error, for test doubles.
    public init(
        message: String, path: [PathElement]? = nil, locations: [GraphQLLocation]? = nil,
        extensions: [String: GraphQLValue]? = nil
    ) {
        self.message = message
        self.path = path
        self.locations = locations
        self.extensions = extensions
    }

    /// What kind of error it is, where the service says so in `extensions.code`: `UNAUTHENTICATED`, for example. A number
    /// is given as text.
    public var code: String? {
        let code = extensions?["code"]
        return code?.string ?? code?.int.map(String.init)
    }
}

extension GraphQLError: Codable {
    private enum CodingKeys: String, CodingKey { case message, path, locations, extensions }

    /// Decodes the message, which is required, and what else has the right type.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        message = try members.decode(String.self, forKey: .message)
        path = try? members.decodeIfPresent([PathElement].self, forKey: .path)
        locations = try? members.decodeIfPresent([GraphQLLocation].self, forKey: .locations)
        extensions = try? members.decodeIfPresent([String: GraphQLValue].self, forKey: .extensions)
    }
}

extension GraphQLError.PathElement: Codable {
    /// Decodes a text or a whole number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let index = try? container.decode(Int.self) {
            self = .index(index)
        } else {
            self = .field(try container.decode(String.self))
        }
    }

    /// Encodes a text or a whole number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .field(let name): try container.encode(name)
        case .index(let index): try container.encode(index)
        }
    }
}

extension GraphQLError.PathElement: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// A field.
    public init(stringLiteral value: String) { self = .field(value) }
    /// A place in a list.
    public init(integerLiteral value: Int) { self = .index(value) }
}

extension GraphQLError: CustomStringConvertible, CustomReflectable {
    /// Code, path and locations.
    public var description: String {
        var parts = [code?.singleLine(limit: 64) ?? "error"]
        if let path, !path.isEmpty { parts.append("at \(path.prefix(32).text)") }
        if let locations, !locations.isEmpty {
            parts.append("(" + locations.prefix(8).map(\.description).joined(separator: "; ") + ")")
        }
        return parts.joined(separator: " ")
    }

    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension Sequence<GraphQLError.PathElement> {
    /// The usual notation: `results[3].name`.
    fileprivate var text: String {
        reduce(into: "") { text, element in
            switch element {
            case .index(let index): text += "[\(index)]"
            case .field(let name): text += (text.isEmpty ? "" : ".") + name.singleLine(limit: 64)
            }
        }
    }
}
