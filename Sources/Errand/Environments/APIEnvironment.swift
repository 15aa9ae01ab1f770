import ErrandSupport

/// A deployment of an API, such as production, staging or a local server.
///
/// Define a separate enum for each API, so that their environments and paths cannot be confused:
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
/// The default of ``Path`` is ``APIPath``.
public protocol APIEnvironment<Path>: Sendable {
    /// The type of the paths of the API.
    associatedtype Path: APIPathConvertible = APIPath

    /// The name for users and settings. The default is the raw value of a string enum.
    var name: String { get }
    /// The base URL of all paths.
    var baseURL: BaseURL { get }
    /// The headers of all requests to the API. The default is empty. Send credentials with an ``Interceptor`` instead.
    ///
    /// An ``Endpoint`` sends them. A handler with this environment in its property `environment` sets them with
    /// ``RequestHandler/setDefaultHeaders(on:accept:userAgent:)``.
    var defaultHeaders: HeaderFields { get }
}

extension APIEnvironment {
    /// No headers.
    public var defaultHeaders: HeaderFields { [:] }

    /// Returns the URL of a path in this environment.
    ///
    /// - Throws: ``ServiceError`` with code ``ServiceError/Code/configuration``, like ``BaseURL/url(for:)``.
    public func url(for path: Path) throws(ServiceError) -> URL {
        try baseURL.url(for: path.path)
    }
}

extension APIEnvironment {
    /// Returns whether a URL has the scheme, host and port of this environment.
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
    /// Creates the environment with a raw value, such as one from a settings file or a command line.
    ///
    /// ```swift
    /// let environment = try GalleryEnvironment(named: "staging")
    /// ```
    /// - Throws: ``ServiceError`` with code ``ServiceError/Code/configuration`` if the name is unknown. The reason
    ///   lists the known names.
    public init(named name: String) throws(ServiceError) {
        guard let environment = Self(rawValue: name) else {
            let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw ServiceError(
                .configuration, "unknown \(Self.self) '\(name.singleLine(limit: 32))': expected one of \(known)")
        }
        self = environment
    }
}
