/// What a call is named under its API's base: an RFC 6570 template with its variables, checked when it is expanded.
///
/// ```swift
/// let photo: APIPath = "/photos/\(id)"                       // the value is encoded as {id} would be: a/b is a%2Fb
/// let page = APIPath("/users/{name}/photos{?page}", ["name": name, "page": 2])
/// ```
/// An API names its paths in an enum of its own, see ``APIPathConvertible``. A path is stricter than ``URITemplate``, so
/// that no mistake makes another address; ``expand()`` has the rules. Equal paths have equal templates and values.
///
/// In a literal every interpolated value is a template value. A template that is computed has a label of its own,
/// ``init(template:_:)``, so that no value becomes template text by accident.
public struct APIPath: Sendable, Hashable {
    enum Piece: Sendable, Hashable {
        case text(String)
        case value(URITemplate.Value)
    }

    let pieces: [Piece]
    let variables: [String: URITemplate.Value]

    /// Names a path by a template that is a literal; its interpolated values and these variables go together.
    ///
    /// A variable that the path has already is replaced. What is wrong is thrown by ``expand()``.
    /// ```swift
    /// APIPath("/users/\(name)/photos{?page}", ["page": page])        // page may be nil
    /// ```
    public init(_ template: APIPath, _ variables: [String: any URITemplate.Variable]) {
        pieces = template.pieces
        self.variables = template.variables.merging(variables.mapValues(\.templateValue)) { _, new in new }
    }

    /// Names a path by a template that is computed or comes from settings: all of the text is template text.
    ///
    /// ```swift
    /// APIPath(template: settings.photoPath, ["id": id])
    /// ```
    /// What is wrong is thrown by ``expand()``.
    public init(template text: String, _ variables: [String: any URITemplate.Variable] = [:]) {
        pieces = [.text(text)]
        self.variables = variables.mapValues(\.templateValue)
    }

    /// The template, each interpolated value shown as `{}`: the text that positions in errors count in.
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
    /// Takes a literal as template text.
    public init(stringLiteral value: String) {
        pieces = [.text(value)]
        variables = [:]
    }

    /// Takes a literal with interpolated values.
    public init(stringInterpolation: StringInterpolation) {
        pieces = stringInterpolation.pieces
        variables = [:]
    }

    /// Collects the texts and the values of an interpolated literal.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var pieces: [Piece] = []

        /// Starts with nothing.
        public init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(interpolationCount * 2 + 1)
        }

        /// Adds template text.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { pieces.append(.text(literal)) }
        }

        /// Adds a value that is expanded as the expression `{value}` would be; absent and empty ones are refused then.
        ///
        /// Unwrap an optional first: the compiler warns of one, and nil is refused at expansion.
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

/// What names paths of one API: usually an enum.
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
    /// The path under the API's base.
    var path: APIPath { get }
}

extension APIPath: APIPathConvertible {
    /// The path itself.
    public var path: APIPath { self }
}
