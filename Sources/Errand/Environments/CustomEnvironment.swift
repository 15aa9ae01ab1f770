/// An environment with a base URL that is known only at run time, such as a test server or a server of the user.
///
/// ```swift
/// let local = CustomEnvironment<GalleryPath>(name: "local", baseURL: BaseURL(server.url))
/// ```
/// A handler for both kinds of environments has a property of type `any APIEnvironment<GalleryPath>`.
public struct CustomEnvironment<Path: APIPathConvertible>: APIEnvironment {
    /// The name for users and settings.
    public let name: String
    /// The base URL of all paths.
    public let baseURL: BaseURL
    /// The headers of all requests to the API.
    public let defaultHeaders: HeaderFields

    /// Creates an environment.
    public init(name: String, baseURL: BaseURL, defaultHeaders: HeaderFields = [:]) {
        self.name = name
        self.baseURL = baseURL
        self.defaultHeaders = defaultHeaders
    }
}
