/// The query of ``UserPhotosAPI``: a user, a page of the photos and their order.
public struct UserPhotosQuery: Sendable, Hashable, Encodable {
    /// The user name. It is part of the path, not of the query.
    public var username: String
    /// The page number, counted from 1. If `nil`, the server chooses.
    public var page: Int?
    /// The number of photos per page, at most 30. If `nil`, the server chooses.
    public var perPage: Int?
    /// The order of the photos. If `nil`, the server chooses.
    public var orderBy: PhotoOrder?
    /// The orientation of the photos.
    public var orientation: PhotoOrientation?

    /// Creates a query. The server chooses the parameters that are `nil`.
    public init(username: String, page: Int? = nil, perPage: Int? = nil, orderBy: PhotoOrder? = nil) {
        self.username = username
        self.page = page
        self.perPage = perPage
        self.orderBy = orderBy
    }

    private enum CodingKeys: String, CodingKey {
        case page, orientation
        case perPage = "per_page"
        case orderBy = "order_by"
    }
}
