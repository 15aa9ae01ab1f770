public import Errand
import ErrandSupport

/// One photo, as the Unsplash API describes it.
///
/// Lists carry fewer fields than a photo asked for by its id: what the server may leave out or send as null is optional,
/// and never replaced by a default. Encoding gives back every documented field that was there.
public struct GalleryModel: Sendable, Hashable, Identifiable {
    /// The photo's identifier.
    @StringID public var id: String
    /// The readable end of the photo's web address.
    public var slug: String?
    /// When the photo was uploaded.
    public var createdAt: Date
    /// When the photo's data last changed.
    public var updatedAt: Date
    /// When the editors chose the photo, nil for most.
    public var promotedAt: Date?
    /// The original's width in pixels.
    public var width: Int
    /// The original's height in pixels.
    public var height: Int
    /// The average colour, such as `#60544D`.
    public var color: String?
    /// The BlurHash text of the picture, to show while it loads.
    public var blurHash: String?
    /// What the photographer says about the photo.
    public var description: String?
    /// What can be seen, for people who can't see it.
    public var altDescription: String?
    /// How many users like the photo.
    public var likes: Int
    /// Whether the current user likes it; false where nobody is signed in.
    public var likedByUser: Bool
    /// How often it was seen.
    public var views: Int?
    /// How often it was downloaded.
    public var downloads: Int?
    /// Whether the photo is in the public domain.
    public var publicDomain: Bool?
    /// Where the picture is, in each size.
    public var urls: PhotoURLs
    /// Where the photo is in the API and on the web.
    public var links: PhotoLinks
    /// Who took it.
    public var user: GalleryUser
    /// How it was taken.
    public var exif: Exif?
    /// Where it was taken.
    public var location: PhotoLocation?
    /// Whether search engines may list it.
    public var meta: PhotoMeta?
    /// What it shows, in catchwords.
    public var tags: [PhotoTag]?
    /// The topics that it is part of.
    public var topics: [Topic]?
    /// How the topics' editors decided, by the topic's slug.
    public var topicSubmissions: [String: TopicSubmission]?
    /// The current user's collections that hold it.
    public var currentUserCollections: [CollectionSummary]?
    /// Who pays for showing it, nil for most.
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
    /// The best title there is: what the photographer says, else what can be seen, else the identifier.
    public var title: String {
        [description, altDescription].lazy.compactMap { $0?.trimmed() }.first { !$0.isEmpty } ?? id
    }
}
