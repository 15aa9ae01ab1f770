public import Errand

/// A collection of the current user, as listed in a photo.
///
/// There is no member for the cover photo, because the server sends null for it here.
public struct CollectionSummary: Sendable, Hashable, Identifiable {
    /// The URLs of a collection. The server creates them, so they have the type `URL`.
    public struct Links: Sendable, Hashable {
        /// The collection in the API, `self` in the JSON.
        public var resource: URL
        /// The collection's web page.
        public var html: URL
        /// The collection's photos in the API.
        public var photos: URL
        /// Related collections in the API.
        public var related: URL?
    }

    /// The collection's identifier. Older responses have a number.
    @StringID public var id: String
    /// The title.
    public var title: String
    /// The user's description.
    public var description: String?
    /// The time of its publication.
    public var publishedAt: Date?
    /// The time when a photo was last added.
    public var lastCollectedAt: Date?
    /// The time of the last change.
    public var updatedAt: Date?
    /// Whether it is curated by the editors.
    public var curated: Bool?
    /// Whether it is featured by the editors.
    public var featured: Bool?
    /// The number of photos.
    public var totalPhotos: Int?
    /// Whether it is visible only to its owner.
    public var isPrivate: Bool?
    /// The key that gives other users access to it, even if it is private.
    public var shareKey: String?
    /// The tags.
    public var tags: [PhotoTag]?
    /// The URLs of the collection.
    public var links: Links?
    /// The owner.
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
