/// A user's names on other services, as entered by the user.
public struct SocialNames: Sendable, Hashable {
    /// The user name on Instagram.
    public var instagramUsername: String?
    /// The URL of the user's website. It is a `String`, because it is often not a valid URL.
    public var portfolioURL: String?
    /// The user name on Twitter.
    public var twitterUsername: String?
    /// The e-mail address for PayPal payments.
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
