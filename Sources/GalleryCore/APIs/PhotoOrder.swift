/// The order of photos; the server may know more than these.
public struct PhotoOrder: RawRepresentable, Sendable, Hashable, Encodable {
    /// The order as it is on the wire.
    public let rawValue: String

    /// Names an order.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The newest first.
    public static let latest: Self = .init(rawValue: "latest")
    /// The oldest first.
    public static let oldest: Self = .init(rawValue: "oldest")
    /// What most users like first; not for searches.
    public static let popular: Self = .init(rawValue: "popular")
    /// What fits best first; for searches only.
    public static let relevant: Self = .init(rawValue: "relevant")
}
