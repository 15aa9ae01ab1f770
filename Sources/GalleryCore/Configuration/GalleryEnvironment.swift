public import Errand

/// Where the gallery's API lives.
///
/// ```swift
/// let server = try DevelopmentServer()
/// let environment = GalleryEnvironment.development(at: server.baseURL)
/// ```
public enum GalleryEnvironment: Sendable, Hashable, APIEnvironment {
    /// What names the API's paths.
    public typealias Path = GalleryPath

    /// A server on this machine, such as ``DevelopmentServer``.
    case development(at: BaseURL)
    /// A server of the user's own, shaped like production.
    case staging(at: BaseURL)
    /// `https://api.unsplash.com`.
    case production

    /// The names that ``init(named:at:)`` knows.
    public static let names: [String] = ["development", "staging", "production"]

    /// The environment's name: the case without its address.
    public var name: String {
        switch self {
        case .development: "development"
        case .staging: "staging"
        case .production: "production"
        }
    }

    /// The address that all paths are joined to.
    public var baseURL: BaseURL {
        switch self {
        case .development(let address), .staging(let address): address
        case .production: "https://api.unsplash.com"
        }
    }

    /// The version of the API that the models are made for.
    public var defaultHeaders: HeaderFields { ["Accept-Version": "v1"] }
}

extension GalleryEnvironment {
    /// Chooses the environment of a name, such as one of a command line.
    ///
    /// - Parameters:
    ///   - name: One of ``names``.
    ///   - address: Where it is: needed for development and staging; production has its own and takes none.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration``: an unknown name (the reason
    ///   lists the known ones), an address that is missing, not needed, or not valid.
    public init(named name: String, at address: BaseURL? = nil) throws(ServiceError) {
        try address?.validate()
        switch (name, address) {
        case ("development", let address?): self = .development(at: address)
        case ("staging", let address?): self = .staging(at: address)
        case ("production", nil): self = .production
        case ("production", _?):
            throw ServiceError(.configuration, "production has an address of its own: leave the base URL out")
        case ("development", nil), ("staging", nil):
            throw ServiceError(.configuration, "the environment \(name) needs a base URL")
        default:
            let known = Self.names.joined(separator: ", ")
            throw ServiceError(.configuration, "no environment has this name; known are: \(known)")
        }
    }
}

extension GalleryEnvironment {
    /// Checks an address that a server sent before anything is asked of it: only this environment's own origin, below
    /// its route, gets a request with the access key.
    ///
    /// Dot segments, also percent-encoded ones, are refused rather than resolved: what is checked is what is sent.
    package func checkOwn(_ url: URL) throws(ServiceError) {
        let base = try baseURL.url(for: "")
        let path = url.path(percentEncoded: true).replacing("%2e", with: ".").replacing("%2E", with: ".")
        let route = base.path(percentEncoded: true).trimmingSuffix("/")
        guard Origin(url) == Origin(base), url.user() == nil, url.password() == nil else {
            throw ServiceError(.configuration, "an address in the server's answer is not on the API's own origin")
        }
        guard path == route || path.hasPrefix(route + "/"), URIReference.removingDotSegments(path).path == path else {
            throw ServiceError(.configuration, "an address in the server's answer leads out of the API's route")
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
