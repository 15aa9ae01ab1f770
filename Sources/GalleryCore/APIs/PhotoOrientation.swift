/// Which way a photo lies; the server may know more than these.
public struct PhotoOrientation: RawRepresentable, Sendable, Hashable, Encodable {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Names an orientation.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Wider than high.
    public static let landscape: Self = .init(rawValue: "landscape")
    /// Higher than wide.
    public static let portrait: Self = .init(rawValue: "portrait")
    /// Neither.
    public static let squarish: Self = .init(rawValue: "squarish")
}
