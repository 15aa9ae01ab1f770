/// A tag of a photo.
///
/// The server adds landing pages to some tags (`source`). They are not documented and are not decoded.
public struct PhotoTag: Sendable, Hashable, Codable {
    /// The target of the tag: `search` or `landing_page`. `nil` in older responses.
    public var type: String?
    /// The text of the tag.
    public var title: String
}
