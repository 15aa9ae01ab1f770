/// A placeholder for handlers without an environment. It has no base URL and no headers.
public struct NoEnvironment: APIEnvironment {
    /// Creates the placeholder.
    public init() {}

    /// The name `none`.
    public var name: String { "none" }
    /// An invalid base URL. Joining a path to it throws an error.
    public var baseURL: BaseURL { "" }
}
