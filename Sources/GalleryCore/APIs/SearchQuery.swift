/// The query of ``SearchAPI``: a search text, filters and a page of the results.
public struct SearchQuery: Sendable, Hashable, Encodable {
    /// The search text.
    public var query: String
    /// The page number, counted from 1. If `nil`, the server chooses.
    public var page: Int?
    /// The number of photos per page, at most 30. If `nil`, the server chooses.
    public var perPage: Int?
    /// The order: ``PhotoOrder/relevant`` or ``PhotoOrder/latest``. If `nil`, the server chooses.
    public var orderBy: PhotoOrder?
    /// The content filter.
    public var contentFilter: ContentFilter?
    /// The name of a colour, such as `black_and_white` or `teal`.
    public var color: String?
    /// The orientation of the photos.
    public var orientation: PhotoOrientation?

    /// Creates a query. The server chooses the parameters that are `nil`.
    public init(_ query: String, page: Int? = nil, perPage: Int? = nil, orderBy: PhotoOrder? = nil) {
        self.query = query
        self.page = page
        self.perPage = perPage
        self.orderBy = orderBy
    }

    private enum CodingKeys: String, CodingKey {
        case query, page, color, orientation
        case perPage = "per_page"
        case orderBy = "order_by"
        case contentFilter = "content_filter"
    }
}
