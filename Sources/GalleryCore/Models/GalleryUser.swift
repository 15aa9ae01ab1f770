public import Errand

/// A user of the gallery: a photographer or a sponsor.
public struct GalleryUser: Sendable, Hashable, Identifiable {
    /// The user's identifier.
    @StringID public var id: String
    /// When the user's data last changed.
    public var updatedAt: Date?
    /// The name in addresses.
    public var username: String
    /// The name to show.
    public var name: String
    /// The first part of the name.
    public var firstName: String?
    /// The last part of the name.
    public var lastName: String?
    /// The name on Twitter.
    public var twitterUsername: String?
    /// The address of the user's own pages, as the user typed it: often no URL, hence a text.
    public var portfolioURL: String?
    /// What the user says about themselves.
    public var bio: String?
    /// Where the user lives.
    public var location: String?
    /// Where the user's things are.
    public var links: UserLinks
    /// The user's picture.
    public var profileImage: ProfileImage?
    /// The name on Instagram.
    public var instagramUsername: String?
    /// How many collections the user has.
    public var totalCollections: Int?
    /// How many photos the user likes.
    public var totalLikes: Int?
    /// How many photos the user has published.
    public var totalPhotos: Int?
    /// Whether the user has accepted the terms of service.
    public var acceptedTerms: Bool?
    /// Whether the user takes orders.
    public var forHire: Bool?
    /// The user's names elsewhere.
    public var social: SocialNames?
}

extension GalleryUser: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, username, name, bio, location, links, social
        case updatedAt = "updated_at"
        case firstName = "first_name"
        case lastName = "last_name"
        case twitterUsername = "twitter_username"
        case portfolioURL = "portfolio_url"
        case profileImage = "profile_image"
        case instagramUsername = "instagram_username"
        case totalCollections = "total_collections"
        case totalLikes = "total_likes"
        case totalPhotos = "total_photos"
        case acceptedTerms = "accepted_tos"
        case forHire = "for_hire"
    }
}
