/// Which page of a list, and in which order.
public struct GalleryQuery: Sendable, Hashable, Encodable {
    /// The page, from 1; the server's choice where nil.
    public var page: Int?
    /// How many photos on a page, at most 30; the server's choice where nil.
    public var perPage: Int?
    /// The order; the server's choice where nil.
    public var orderBy: PhotoOrder?

    /// Names a page.
    public init(page: Int? = nil, perPage: Int? = nil, orderBy: PhotoOrder? = nil) {
        self.page = page
        self.perPage = perPage
        self.orderBy = orderBy
    }

    private enum CodingKeys: String, CodingKey {
        case page
        case perPage = "per_page"
        case orderBy = "order_by"
    }
}
