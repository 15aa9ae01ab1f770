/// What a photo that the server chooses must be like.
public struct RandomPhotoQuery: Sendable, Hashable, Encodable {
    /// A text that it matches.
    public var query: String?
    /// Who took it.
    public var username: String?
    /// Which way it lies.
    public var orientation: PhotoOrientation?
    /// Which photos are kept back.
    public var contentFilter: ContentFilter?

    /// Names the wishes; none unless given.
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
