import Errand
import ErrandSupport

/// An error of a GraphQL response (GraphQL, section 7.1.2).
///
/// Its description contains code, path and locations, but never the message. In messages, services repeat values that
/// they reject, and these may be secrets. Read ``message`` only if it may be shown.
public struct GraphQLError: Error, Sendable, Hashable {
    /// An element of a path.
    public enum PathElement: Sendable, Hashable {
        /// The response name of a field: its alias, or its name.
        case field(String)
        /// An index in a list, from 0.
        case index(Int)
    }

    /// The description of the error, for developers.
    public let message: String
    /// The path of the field that failed. `nil` for a request error.
    public let path: [PathElement]?
    /// The locations in the document. `nil` if the service does not send them.
    public let locations: [GraphQLLocation]?
    /// Additional information from the service.
    public let extensions: [String: GraphQLValue]?

    /// Creates an error, for test doubles.
    public init(
        message: String, path: [PathElement]? = nil, locations: [GraphQLLocation]? = nil,
        extensions: [String: GraphQLValue]? = nil
    ) {
        self.message = message
        self.path = path
        self.locations = locations
        self.extensions = extensions
    }

    /// The error code that the service sends in `extensions.code`, such as `UNAUTHENTICATED`. A number is converted to
    /// text.
    public var code: String? {
        let code = extensions?["code"]
        return code?.string ?? code?.int.map(String.init)
    }
}

extension GraphQLError: Codable {
    private enum CodingKeys: String, CodingKey { case message, path, locations, extensions }

    /// Decodes the message, which is required. Other members are `nil` if they are missing or have another type.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        message = try members.decode(String.self, forKey: .message)
        path = try? members.decodeIfPresent([PathElement].self, forKey: .path)
        locations = try? members.decodeIfPresent([GraphQLLocation].self, forKey: .locations)
        extensions = try? members.decodeIfPresent([String: GraphQLValue].self, forKey: .extensions)
    }
}

extension GraphQLError.PathElement: Codable {
    /// Decodes a string or an integer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let index = try? container.decode(Int.self) {
            self = .index(index)
        } else {
            self = .field(try container.decode(String.self))
        }
    }

    /// Encodes a string or an integer.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .field(let name): try container.encode(name)
        case .index(let index): try container.encode(index)
        }
    }
}

extension GraphQLError.PathElement: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// Creates a field.
    public init(stringLiteral value: String) { self = .field(value) }
    /// Creates an index in a list.
    public init(integerLiteral value: Int) { self = .index(value) }
}

extension GraphQLError: CustomStringConvertible, CustomReflectable {
    /// The code, the path and the locations.
    public var description: String {
        var parts = [code?.singleLine(limit: 64) ?? "error"]
        if let path, !path.isEmpty { parts.append("at \(path.prefix(32).text)") }
        if let locations, !locations.isEmpty {
            parts.append("(" + locations.prefix(8).map(\.description).joined(separator: "; ") + ")")
        }
        return parts.joined(separator: " ")
    }

    /// A mirror that contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension Sequence<GraphQLError.PathElement> {
    /// The path in the usual notation: `results[3].name`.
    var text: String {
        reduce(into: "") { text, element in
            switch element {
            case .index(let index): text += "[\(index)]"
            case .field(let name): text += (text.isEmpty ? "" : ".") + name.singleLine(limit: 64)
            }
        }
    }
}
