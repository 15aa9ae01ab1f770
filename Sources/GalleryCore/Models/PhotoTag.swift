/// A catchword of a photo.
///
/// Landing pages that the server adds to some tags (`source`) are not documented, and not kept.
public struct PhotoTag: Sendable, Hashable, Codable {
    /// Where the tag leads: `search` or `landing_page`, nil in older answers.
    public var type: String?
    /// The word.
    public var title: String
}
