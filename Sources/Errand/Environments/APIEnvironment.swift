import ErrandSupport

/// One place where an API lives: production, staging, a local server.
///
/// Each API has an enum of its own, so that several live side by side without ambiguity:
/// ```swift
/// enum GalleryEnvironment: String, APIEnvironment, CaseIterable {
///     typealias Path = GalleryPath
///     case staging, production
///     var baseURL: BaseURL {
///         switch self {
///         case .staging: BaseURL(subdomain: "api.staging", domain: "gallery.example", port: 8443, route: "v2")
///         case .production: "https://api.gallery.example/v2"
///         }
///     }
/// }
/// let url = try GalleryEnvironment.production.url(for: .photo(id: "42"))
/// ```
/// ``Path`` is ``APIPath`` unless the type says otherwise.
public protocol APIEnvironment<Path>: Sendable {
    /// What names this API's paths.
    associatedtype Path: APIPathConvertible = APIPath

    /// The name that people and settings use; the raw value where there is one.
    var name: String { get }
    /// The address that all paths are joined to.
    var baseURL: BaseURL { get }
    /// Header fields of the API's requests; none unless given. Credentials belong into an ``Interceptor`` instead.
    ///
    /// An ``Endpoint`` sends them. A handler whose property `environment` is this environment sets them with
    /// ``RequestHandler/setDefaultHeaders(on:accept:userAgent:)``.
    var defaultHeaders: HeaderFields { get }
}

extension APIEnvironment {
    /// No header fields.
    public var defaultHeaders: HeaderFields { [:] }

    /// The address of a path in this environment.
    ///
    /// - Throws: ``ServiceError`` with code ``ServiceError/Code/configuration``, as ``BaseURL/url(for:)`` does.
    public func url(for path: Path) throws(ServiceError) -> URL {
        try baseURL.url(for: path.path)
    }
}

extension APIEnvironment {
    /// Whether a URL has the scheme, host and port of this environment.
    func hasOrigin(of url: URL?) -> Bool {
        guard let base = try? baseURL.url(for: "") else { return false }
        return Origin(base) == Origin(url)
    }
}

extension APIEnvironment where Self: RawRepresentable, RawValue == String {
    /// The raw value.
    public var name: String { rawValue }
}

extension APIEnvironment where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// Chooses the environment whose raw value this is, such as one of a settings file or a command line.
    ///
    /// ```swift
    /// let environment = try GalleryEnvironment(named: "staging")
    /// ```
    /// - Throws: ``ServiceError`` with code ``ServiceError/Code/configuration`` where there is none; the reason lists the
    ///   known names.
    public init(named name: String) throws(ServiceError) {
        guard let environment = Self(rawValue: name) else {
            let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw ServiceError(
                .configuration, "no \(Self.self) is named '\(name.singleLine(limit: 32))'; known are: \(known)")
        }
        self = environment
    }
}
