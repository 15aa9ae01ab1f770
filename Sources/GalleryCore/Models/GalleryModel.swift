public import Errand
import ErrandSupport

/// A photo, as defined by the Unsplash API.
///
/// Lists contain fewer members than the response for one identifier. Members that may be missing or null are optional
/// and have no default. Encoding preserves every documented member.
public struct GalleryModel: Sendable, Hashable, Identifiable {
    /// The photo's identifier.
    @StringID public var id: String
    /// The readable end of the URL of the photo's web page.
    public var slug: String?
    /// The time of the upload.
    public var createdAt: Date
    /// The time of the last change.
    public var updatedAt: Date
    /// The time when the editors selected the photo. `nil` for most photos.
    public var promotedAt: Date?
    /// The width of the original in pixels.
    public var width: Int
    /// The height of the original in pixels.
    public var height: Int
    /// The average colour, such as `#60544D`.
    public var color: String?
    /// The BlurHash of the picture, a placeholder to show while it loads.
    public var blurHash: String?
    /// The photographer's description.
    public var description: String?
    /// The alternative text for screen readers.
    public var altDescription: String?
    /// The number of likes.
    public var likes: Int
    /// Whether the current user likes the photo. `false` without a signed-in user.
    public var likedByUser: Bool
    /// The number of views.
    public var views: Int?
    /// The number of downloads.
    public var downloads: Int?
    /// Whether the photo is in the public domain.
    public var publicDomain: Bool?
    /// The URLs of the picture in each size.
    public var urls: PhotoURLs
    /// The URLs of the photo in the API and on the web.
    public var links: PhotoLinks
    /// The photographer.
    public var user: GalleryUser
    /// The camera settings.
    public var exif: Exif?
    /// The location at which the photo was taken.
    public var location: PhotoLocation?
    /// The metadata for search engines.
    public var meta: PhotoMeta?
    /// The tags.
    public var tags: [PhotoTag]?
    /// The topics that contain the photo.
    public var topics: [Topic]?
    /// The decisions of the topics' editors, keyed by topic slug.
    public var topicSubmissions: [String: TopicSubmission]?
    /// The current user's collections that contain the photo.
    public var currentUserCollections: [CollectionSummary]?
    /// The sponsorship. `nil` for most photos.
    public var sponsorship: Sponsorship?
}

extension GalleryModel: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, slug, width, height, color, description, likes, views, downloads, urls, links, user, exif, location
        case meta, tags, topics, sponsorship
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case promotedAt = "promoted_at"
        case blurHash = "blur_hash"
        case altDescription = "alt_description"
        case likedByUser = "liked_by_user"
        case publicDomain = "public_domain"
        case topicSubmissions = "topic_submissions"
        case currentUserCollections = "current_user_collections"
    }
}

extension GalleryModel {
    /// A title: the first non-blank text of ``description`` and ``altDescription``, otherwise the identifier.
    public var title: String {
        [description, altDescription].lazy.compactMap { $0?.trimmed() }.first { !$0.isEmpty } ?? id
    }
}
