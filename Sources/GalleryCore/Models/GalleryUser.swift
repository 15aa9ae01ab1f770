public import Errand

/// A user of the gallery: a photographer or a sponsor.
public struct GalleryUser: Sendable, Hashable, Identifiable {
    /// The user's identifier.
    @StringID public var id: String
    /// The time of the last change.
    public var updatedAt: Date?
    /// The user name, which is part of URLs.
    public var username: String
    /// The display name.
    public var name: String
    /// The first name.
    public var firstName: String?
    /// The last name.
    public var lastName: String?
    /// The user name on Twitter.
    public var twitterUsername: String?
    /// The URL of the user's website, as entered by the user. It is a `String`, because it is often not a valid URL.
    public var portfolioURL: String?
    /// The biography.
    public var bio: String?
    /// The location, such as a city.
    public var location: String?
    /// The URLs of the user in the API and on the web.
    public var links: UserLinks
    /// The profile picture.
    public var profileImage: ProfileImage?
    /// The user name on Instagram.
    public var instagramUsername: String?
    /// The number of collections.
    public var totalCollections: Int?
    /// The number of liked photos.
    public var totalLikes: Int?
    /// The number of published photos.
    public var totalPhotos: Int?
    /// Whether the user has accepted the terms of service.
    public var acceptedTerms: Bool?
    /// Whether the user is available for hire.
    public var forHire: Bool?
    /// The user's names on other services.
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
