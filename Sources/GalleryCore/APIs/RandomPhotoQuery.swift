/// The constraints on a random photo.
public struct RandomPhotoQuery: Sendable, Hashable, Encodable {
    /// The text that the photo must match.
    public var query: String?
    /// The user name of the photographer.
    public var username: String?
    /// The orientation of the photo.
    public var orientation: PhotoOrientation?
    /// The content filter.
    public var contentFilter: ContentFilter?

    /// Creates a query. By default, every photo matches.
    public init(
        query: String? = nil, username: String? = nil, orientation: PhotoOrientation? = nil,
        contentFilter: ContentFilter? = nil
    ) {
        self.query = query
        self.username = username
        self.orientation = orientation
        self.contentFilter = contentFilter
    }

    private enum CodingKeys: String, CodingKey {
        case query, username, orientation
        case contentFilter = "content_filter"
    }
}
