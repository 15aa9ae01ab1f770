/// How strictly the server filters content. The server may support more values than these.
public struct ContentFilter: RawRepresentable, Sendable, Hashable, Encodable {
    /// The value of the query parameter.
    public let rawValue: String

    /// Creates a filter from its query value.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Excludes content that violates the guidelines.
    public static let low: Self = .init(rawValue: "low")
    /// Also excludes content that may be unsuitable for young people.
    public static let high: Self = .init(rawValue: "high")
}
