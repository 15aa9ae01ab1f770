/// Whose photos, which page of them, and in which order.
public struct UserPhotosQuery: Sendable, Hashable, Encodable {
    /// Who published them; a part of the path.
    public var username: String
    /// The page, from 1; the server's choice where nil.
    public var page: Int?
    /// How many photos on a page, at most 30; the server's choice where nil.
    public var perPage: Int?
    /// The order; the server's choice where nil.
    public var orderBy: PhotoOrder?
    /// Which way the photos lie.
    public var orientation: PhotoOrientation?

    /// Names a page of a user's photos.
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
