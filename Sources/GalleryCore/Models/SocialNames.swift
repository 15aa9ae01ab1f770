/// A user's names elsewhere, as the user typed them.
public struct SocialNames: Sendable, Hashable {
    /// The name on Instagram.
    public var instagramUsername: String?
    /// The address of the user's own pages: often no URL, hence a text.
    public var portfolioURL: String?
    /// The name on Twitter.
    public var twitterUsername: String?
    /// The address for payments.
    public var paypalEmail: String?
}

extension SocialNames: Codable {
    private enum CodingKeys: String, CodingKey {
        case instagramUsername = "instagram_username"
        case portfolioURL = "portfolio_url"
        case twitterUsername = "twitter_username"
        case paypalEmail = "paypal_email"
    }
}
