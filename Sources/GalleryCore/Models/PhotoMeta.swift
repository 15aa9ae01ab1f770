/// What search engines are told about a photo.
public struct PhotoMeta: Sendable, Hashable, Codable {
    /// Whether they may list it.
    public var index: Bool?
}
