/// How much is kept from the eyes of children; the server may know more than these.
public struct ContentFilter: RawRepresentable, Sendable, Hashable, Encodable {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Names a filter.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// What breaks the rules is left out.
    public static let low: Self = .init(rawValue: "low")
    /// What may not suit young people is left out too.
    public static let high: Self = .init(rawValue: "high")
}
