/// What to look for, and which page of it.
public struct SearchQuery: Sendable, Hashable, Encodable {
    /// The text to look for.
    public var query: String
    /// The page, from 1; the server's choice where nil.
    public var page: Int?
    /// How many photos on a page, at most 30; the server's choice where nil.
    public var perPage: Int?
    /// ``PhotoOrder/relevant`` or ``PhotoOrder/latest``; the server's choice where nil.
    public var orderBy: PhotoOrder?
    /// Which photos are kept back.
    public var contentFilter: ContentFilter?
    /// A colour's name, such as `black_and_white` or `teal`.
    public var color: String?
    /// Which way the photos lie.
    public var orientation: PhotoOrientation?

    /// Names a search; what is nil is left to the server.
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
