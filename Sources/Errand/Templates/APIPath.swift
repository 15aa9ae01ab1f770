/// The path of an API call below the base URL of its API. It consists of an RFC 6570 template and its variables, which
/// are checked when the path is expanded.
///
/// ```swift
/// let photo: APIPath = "/photos/\(id)"                       // the value is encoded like {id}: a/b becomes a%2Fb
/// let page = APIPath("/users/{name}/photos{?page}", ["name": name, "page": 2])
/// ```
/// An API usually defines its paths in an enum, see ``APIPathConvertible``. A path is stricter than ``URITemplate``, so
/// that no mistake produces another URL. ``expand()`` lists the rules. Equal paths have equal templates and values.
///
/// In a literal, every interpolated value is a template value. A computed template requires the label of
/// ``init(template:_:)``, so that no value becomes template text by accident.
public struct APIPath: Sendable, Hashable {
    enum Piece: Sendable, Hashable {
        case text(String)
        case value(URITemplate.Value)
    }

    let pieces: [Piece]
    let variables: [String: URITemplate.Value]

    /// Creates a path from a literal template. The variables are added to the interpolated values.
    ///
    /// A variable that the path already has is replaced. Errors are thrown by ``expand()``.
    /// ```swift
    /// APIPath("/users/\(name)/photos{?page}", ["page": page])        // page may be nil
    /// ```
    public init(_ template: APIPath, _ variables: [String: any URITemplate.Variable]) {
        pieces = template.pieces
        self.variables = template.variables.merging(variables.mapValues(\.templateValue)) { _, new in new }
    }

    /// Creates a path from a template that is computed or comes from settings. The complete text is template text.
    ///
    /// ```swift
    /// APIPath(template: settings.photoPath, ["id": id])
    /// ```
    /// Errors are thrown by ``expand()``.
    public init(template text: String, _ variables: [String: any URITemplate.Variable] = [:]) {
        pieces = [.text(text)]
        self.variables = variables.mapValues(\.templateValue)
    }

    /// The template, with `{}` for each interpolated value. The positions in errors refer to this text.
    public var template: String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .value: Self.placeholder
            }
        }.joined()
    }

    static let placeholder = "{}"
}

extension APIPath: ExpressibleByStringInterpolation {
    /// Creates a path from a literal. Its text is template text.
    public init(stringLiteral value: String) {
        pieces = [.text(value)]
        variables = [:]
    }

    /// Creates a path from a literal with interpolated values.
    public init(stringInterpolation: StringInterpolation) {
        pieces = stringInterpolation.pieces
        variables = [:]
    }

    /// Collects the text and the values of an interpolated literal.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var pieces: [Piece] = []

        /// Creates an empty interpolation.
        public init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(interpolationCount * 2 + 1)
        }

        /// Adds template text.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { pieces.append(.text(literal)) }
        }

        /// Adds a value that is expanded like the expression `{value}`. An absent or empty value is an error of
        /// ``expand()``.
        ///
        /// Unwrap an optional value first. The compiler warns about an optional.
        public mutating func appendInterpolation(_ value: some URITemplate.Variable) {
            pieces.append(.value(value.templateValue))
        }
    }
}

extension APIPath: CustomStringConvertible, CustomReflectable {
    /// The ``template``, without values.
    public var description: String { template }
    /// The ``template``, without values.
    public var customMirror: Mirror { Mirror(self, children: ["template": template], displayStyle: .struct) }
}

/// A type with the paths of one API, usually an enum.
///
/// ```swift
/// enum GalleryPath: APIPathConvertible {
///     case photos, photo(id: String)
///     var path: APIPath {
///         switch self {
///         case .photos: "/photos"
///         case .photo(let id): "/photos/\(id)"
///         }
///     }
/// }
/// ```
public protocol APIPathConvertible: Sendable {
    /// The path below the base URL of the API.
    var path: APIPath { get }
}

extension APIPath: APIPathConvertible {
    /// The path itself.
    public var path: APIPath { self }
}
