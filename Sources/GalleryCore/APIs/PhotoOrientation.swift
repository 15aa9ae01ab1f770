/// The orientation of a photo. The server may support more values than these.
public struct PhotoOrientation: RawRepresentable, Sendable, Hashable, Encodable {
    /// The value of the query parameter.
    public let rawValue: String

    /// Creates an orientation from its query value.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Wider than tall.
    public static let landscape: Self = .init(rawValue: "landscape")
    /// Taller than wide.
    public static let portrait: Self = .init(rawValue: "portrait")
    /// About as wide as tall.
    public static let squarish: Self = .init(rawValue: "squarish")
}
