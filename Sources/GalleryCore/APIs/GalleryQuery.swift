/// The query of ``GalleryAPI``: a page of the list and its order.
public struct GalleryQuery: Sendable, Hashable, Encodable {
    /// The page number, counted from 1. If `nil`, the server chooses.
    public var page: Int?
    /// The number of photos per page, at most 30. If `nil`, the server chooses.
    public var perPage: Int?
    /// The order of the photos. If `nil`, the server chooses.
    public var orderBy: PhotoOrder?

    /// Creates a query. The server chooses the parameters that are `nil`.
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
