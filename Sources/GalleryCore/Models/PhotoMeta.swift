/// The metadata of a photo for search engines.
public struct PhotoMeta: Sendable, Hashable, Codable {
    /// Whether search engines may list the photo.
    public var index: Bool?
}
