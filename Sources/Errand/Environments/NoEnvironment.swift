/// The environment of a handler that has none: a placeholder without a base URL and without headers.
public struct NoEnvironment: APIEnvironment {
    /// Makes the placeholder.
    public init() {}

    /// `none`.
    public var name: String { "none" }
    /// Not a URL: a path can't be joined to it.
    public var baseURL: BaseURL { "" }
}
