/// The order of photos. The server may support more values than these.
public struct PhotoOrder: RawRepresentable, Sendable, Hashable, Encodable {
    /// The value of the query parameter.
    public let rawValue: String

    /// Creates an order from its query value.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Newest first.
    public static let latest: Self = .init(rawValue: "latest")
    /// Oldest first.
    public static let oldest: Self = .init(rawValue: "oldest")
    /// Most liked first. Not supported by searches.
    public static let popular: Self = .init(rawValue: "popular")
    /// Best match first. Supported only by searches.
    public static let relevant: Self = .init(rawValue: "relevant")
}
