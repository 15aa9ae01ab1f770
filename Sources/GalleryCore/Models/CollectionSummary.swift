public import Errand

/// One of the current user's collections, as a photo lists it.
///
/// Here the server sends null for the collection's cover photo, which is therefore not a field.
public struct CollectionSummary: Sendable, Hashable, Identifiable {
    /// Where a collection is: addresses of the server's own making, hence `URL`.
    public struct Links: Sendable, Hashable {
        /// The collection in the API; `self` in the JSON.
        public var resource: URL
        /// The collection's web page.
        public var html: URL
        /// Its photos in the API.
        public var photos: URL
        /// Collections like it, in the API.
        public var related: URL?
    }

    /// The collection's identifier, a number in older answers.
    @StringID public var id: String
    /// Its name.
    public var title: String
    /// What the user says about it.
    public var description: String?
    /// When it was published.
    public var publishedAt: Date?
    /// When a photo was last added.
    public var lastCollectedAt: Date?
    /// When its data last changed.
    public var updatedAt: Date?
    /// Whether the editors made it.
    public var curated: Bool?
    /// Whether the editors show it.
    public var featured: Bool?
    /// How many photos it holds.
    public var totalPhotos: Int?
    /// Whether only its owner sees it.
    public var isPrivate: Bool?
    /// What opens it to somebody else, also where it is private.
    public var shareKey: String?
    /// What it shows, in catchwords.
    public var tags: [PhotoTag]?
    /// Where it is.
    public var links: Links?
    /// Who made it.
    public var user: GalleryUser?
}

extension CollectionSummary: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, title, description, curated, featured, tags, links, user
        case publishedAt = "published_at"
        case lastCollectedAt = "last_collected_at"
        case updatedAt = "updated_at"
        case totalPhotos = "total_photos"
        case isPrivate = "private"
        case shareKey = "share_key"
    }
}

extension CollectionSummary.Links: Codable {
    private enum CodingKeys: String, CodingKey {
        case html, photos, related
        case resource = "self"
    }
}
