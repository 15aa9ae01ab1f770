/// An environment whose address is known only at run time: a server that a test has just started, a user's own.
///
/// ```swift
/// let local = CustomEnvironment<GalleryPath>(name: "local", baseURL: BaseURL(server.url))
/// ```
/// A handler that is to run in both holds `any APIEnvironment<GalleryPath>`.
public struct CustomEnvironment<Path: APIPathConvertible>: APIEnvironment {
    /// The name that people and settings use.
    public let name: String
    /// The address that all paths are joined to.
    public let baseURL: BaseURL
    /// Header fields of the API.
    public let defaultHeaders: HeaderFields

    /// Describes an environment.
    public init(name: String, baseURL: BaseURL, defaultHeaders: HeaderFields = [:]) {
        self.name = name
        self.baseURL = baseURL
        self.defaultHeaders = defaultHeaders
    }
}
