public import Errand

/// An environment of the gallery's API.
///
/// ```swift
/// let server = try DevelopmentServer()
/// let environment = GalleryEnvironment.development(at: server.baseURL)
/// ```
public enum GalleryEnvironment: Sendable, Hashable, APIEnvironment {
    /// The type of the API's paths.
    public typealias Path = GalleryPath

    /// A server on this machine, such as ``DevelopmentServer``.
    case development(at: BaseURL)
    /// A server with the same API as production.
    case staging(at: BaseURL)
    /// `https://api.unsplash.com`.
    case production

    /// The names that ``init(named:at:)`` accepts.
    public static let names: [String] = ["development", "staging", "production"]

    /// The environment's name: the case without its URL.
    public var name: String {
        switch self {
        case .development: "development"
        case .staging: "staging"
        case .production: "production"
        }
    }

    /// The base URL that paths are appended to.
    public var baseURL: BaseURL {
        switch self {
        case .development(let url), .staging(let url): url
        case .production: "https://api.unsplash.com"
        }
    }

    /// The `Accept-Version` header: the API version of the models.
    public var defaultHeaders: HeaderFields { ["Accept-Version": "v1"] }
}

extension GalleryEnvironment {
    /// Creates an environment from its name, such as one from a command line.
    ///
    /// - Parameters:
    ///   - name: One of ``names``.
    ///   - address: The base URL. Required for development and staging. Must be `nil` for production.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` if the name is unknown (the
    ///   reason lists the known names), or if the URL is missing, unexpected or invalid.
    public init(named name: String, at address: BaseURL? = nil) throws(ServiceError) {
        try address?.validate()
        switch (name, address) {
        case ("development", let url?): self = .development(at: url)
        case ("staging", let url?): self = .staging(at: url)
        case ("production", nil): self = .production
        case ("production", _?):
            throw ServiceError(.configuration, "production has a fixed URL: omit the base URL")
        case ("development", nil), ("staging", nil):
            throw ServiceError(.configuration, "the environment \(name) requires a base URL")
        default:
            let known = Self.names.joined(separator: ", ")
            throw ServiceError(.configuration, "unknown environment name: expected one of \(known)")
        }
    }
}

extension GalleryEnvironment {
    /// Checks a URL from a response before a request is sent to it. Requests with the access key go only to URLs on
    /// this environment's origin and below its base path.
    ///
    /// Dot segments, including percent-encoded ones, are rejected and not resolved, so the checked URL is the sent URL.
    package func checkOwn(_ url: URL) throws(ServiceError) {
        let base = try baseURL.url(for: "")
        let path = url.path(percentEncoded: true).replacing("%2e", with: ".").replacing("%2E", with: ".")
        let route = base.path(percentEncoded: true).trimmingSuffix("/")
        guard Origin(url) == Origin(base), url.user() == nil, url.password() == nil else {
            throw ServiceError(.configuration, "a URL in the server's response is not on the API's origin")
        }
        guard path == route || path.hasPrefix(route + "/"), URIReference.removingDotSegments(path).path == path else {
            throw ServiceError(.configuration, "a URL in the server's response is not below the API's base path")
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
